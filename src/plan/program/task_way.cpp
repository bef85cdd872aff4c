#include "plan/program/task_way.hpp"

#include <algorithm>
#include <tuple>

namespace meshmul {
namespace {

auto rank(const TaskWay& way) { return std::tie(way.time, way.made_bytes, way.num_moves); }

/// Walks the ways in the order of layouts, then of chains, fastest first.
class WayFinder {
 public:
  WayFinder(const Task& task, const TaskWays& ways, const TaskOptions& options, const SearchTerms& terms,
            double most_bytes)
      : task_(task), ways_(ways), options_(options), terms_(terms), most_bytes_(most_bytes) {}

  std::optional<TaskWay> find() {
    if (ways_.is_change()) {
      change();
      return best_;
    }
    for (const LocalWork& work : ways_.works) {
      TaskWay way;
      way.work = &work;
      way.made_bytes = work.result_bytes;
      with_sources(0, way, 0);
    }
    return best_;
  }

 private:
  bool is_weight(ValueId value) const { return terms_.is_weight[static_cast<std::size_t>(value)]; }

  static TaskWay with(TaskWay way, const Path& path) {
    way.made_bytes += path.memory_bytes;
    way.num_moves += path.num_moves;
    way.time.sent_bytes += path.sent_bytes;
    return way;
  }

  /// Calls `f` with the number of each path between `option` and `state` that the rules allow.
  template <class F>
  void for_each_path(const ArrayChains& chains, int option, int state, bool weight, F&& f) const {
    const PathTable& table = chains.table(option);
    const PackedSharding& at_rest = chains.space().sharding(chains.state(option));
    for (const int id : table.paths_of(state))
      if (terms_.rules.allows_at_work(weight, at_rest, chains.space().sharding(state), table.path(id)))
        f(id, table.path(id));
  }

  void with_sources(std::size_t i, const TaskWay& way, double move_seconds) {
    if (i == ways_.sources.size()) return with_result(way, move_seconds);
    for_each_path(*ways_.sources[i], options_[i], way.work->sources[i], is_weight(task_.sources[i].value),
                  [&](int id, const Path& path) {
                    TaskWay next = with(way, path);
                    next.source_paths[i] = id;
                    with_sources(i + 1, next, move_seconds + path.seconds);
                  });
  }

  void with_result(const TaskWay& way, double move_seconds) {
    for_each_path(*ways_.result, options_[2], way.work->result, is_weight(task_.result), [&](int id, const Path& path) {
      TaskWay next = with(way, path);
      next.result_path = id;
      consider(next, move_seconds + path.seconds, way.work->cost.seconds);
    });
  }

  void change() {
    const ArrayChains& chains = *ways_.result;
    const StateSpace& states = chains.space();
    const int start = ways_.starts[options_[0]];
    const int end = chains.state(options_[2]);
    const PathTable& table = chains.table(options_[2]);
    for (const int id : table.paths_of(start)) {
      const Path& path = table.path(id);
      if (!terms_.rules.allows_at_work(is_weight(task_.sources[0].value), states.sharding(start), states.sharding(end),
                                       path))
        continue;
      TaskWay way = with({}, path);
      if (path.num_moves == 0 && task_.kind != PartKind::kNextPass) way.made_bytes = states.bytes(end);
      way.result_path = id;
      consider(way, path.seconds, 0);
    }
  }

  void consider(TaskWay& way, double move_seconds, double work_seconds) {
    way.options = options_;
    way.time.seconds_sequential = move_seconds + work_seconds;
    way.time.seconds = terms_.overlapped ? std::max(move_seconds, work_seconds) : way.time.seconds_sequential;
    if (way.made_bytes <= most_bytes_ && (!best_ || rank(way) < rank(*best_))) best_ = way;
  }

  const Task& task_;
  const TaskWays& ways_;
  const TaskOptions& options_;
  const SearchTerms& terms_;
  const double most_bytes_;
  std::optional<TaskWay> best_;
};

void append_moves(std::vector<ProgramStep>& steps, const ArrayChains& chains, int option, int path, Operand operand) {
  const std::vector<int> states = chains.table(option).states_along(path);
  for (std::size_t i = 1; i < states.size(); ++i)
    steps.emplace_back(chains.states().move(operand, states[i - 1], states[i]));
}

/// `type` as it stands in steps, without mesh axes of size 1.
ArrayType in_steps(ArrayType type, const AxisNumbering& axes) {
  type.sharding = axes.unpack(axes.pack(type.sharding), type.num_dims());
  return type;
}

}  // namespace

std::optional<TaskWay> best_way(const Task& task, const TaskWays& ways, const TaskOptions& options,
                                const SearchTerms& terms, double most_bytes) {
  return WayFinder(task, ways, options, terms, most_bytes).find();
}

std::vector<ProgramStep> steps_of(const Task& task, const TaskWays& ways, const TaskWay& way, const Program& closed,
                                  const AxisNumbering& axes) {
  std::vector<ProgramStep> steps;
  if (way.work == nullptr) {
    append_moves(steps, *ways.result, way.options[2], way.result_path, Operand::kA);
    if (steps.empty() && task.kind != PartKind::kNextPass) {
      const ArrayType source = in_steps(type_of(closed, task.sources.front()), axes);
      steps.emplace_back(Move{MoveKind::kSlice, Operand::kA, source, source, {}, {}});
    }
    if (!steps.empty()) std::get<Move>(steps.back()).to = in_steps(closed.value(task.result).type, axes);
    return steps;
  }
  constexpr Operand kOperands[] = {Operand::kA, Operand::kB};
  std::vector<ArrayType> sources;
  for (std::size_t i = 0; i < ways.sources.size(); ++i) {
    append_moves(steps, *ways.sources[i], way.options[i], way.source_paths[i], kOperands[i]);
    sources.push_back(ways.sources[i]->space().type(way.work->sources[i]));
  }
  const ArrayType made = ways.result->space().type(way.work->result);
  if (std::holds_alternative<ProductStatement>(*task.statement))
    steps.emplace_back(LocalProduct{sources[0], sources[1], made, way.work->cost});
  else
    steps.emplace_back(LocalMap{std::get<MapStatement>(*task.statement).function, sources, made, way.work->cost});
  append_moves(steps, *ways.result, way.options[2], way.result_path, Operand::kC);
  return steps;
}

}  // namespace meshmul
