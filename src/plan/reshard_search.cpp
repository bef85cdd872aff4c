// The search of a change of sharding, and the price of a collective.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "meshmul/error.hpp"
#include "plan/dimension_order.hpp"
#include "plan/move_bounds.hpp"
#include "plan/paths.hpp"
#include "plan/search.hpp"

namespace meshmul {
namespace {

struct ReshardWay {
  Price price;
  std::vector<int> states;
};

class ReshardSearch : public MachineSearch {
 public:
  ReshardSearch(const ArrayType& from, const ArrayType& to, const AxisNumbering& axes, const Machine& machine)
      : from_(from),
        to_(to),
        ordered_to_(in_order_of(from, to)),
        axes_(axes),
        cost_(axes_, machine),
        space_(from, {from.dtype, from.dtype, axes_.pack(ordered_to_.sharding).unreduced}, unreduced_axes(), axes_,
               places_in(from, to)),
        states_(space_, cost_) {}

  double least_seconds(const SearchOptions& /*options*/) const override {
    const MoveBounds bounds(space_, cost_);
    double least = std::numeric_limits<double>::infinity();
    for (const Anchor& start : input_anchors(from_, space_))
      for (const Anchor& target : output_anchors(ordered_to_, space_))
        least = std::min(least, bounds.seconds(start.state, target.state));
    return least;
  }

  SearchResult run(const SearchOptions& options) const override {
    return within(std::numeric_limits<double>::infinity(), options);
  }

  /// Every way to make the last move, each after the best ways to get where it starts.
  SearchResult within(double seconds, const SearchOptions& options) const override {
    const PathTable paths(states_, Direction::kFromAnchors, input_anchors(from_, space_), Deadlines(seconds));
    return found(options, [&](const auto& visit) {
      for (const Anchor& target : output_anchors(ordered_to_, space_)) for_each_way(paths, target.state, visit);
    });
  }

 protected:
  /// The single move from one side to the other.
  SearchResult single(const SearchOptions& options) const {
    const int from = space_.find(axes_.pack(from_.sharding));
    const int to = space_.find(axes_.pack(ordered_to_.sharding));
    return found(options, [&](const auto& visit) {
      if (from == to) visit(copy_at(to));
      if (const std::optional<Edge> edge = states_.edge(from, to))
        visit(ReshardWay{extended({0, 0, 0, space_.bytes(from), from, -1}, *edge), {from, to}});
    });
  }

 private:
  template <class Visit>
  void for_each_way(const PathTable& paths, int target, Visit visit) const {
    for (const int id : paths.paths_of(target))
      if (paths.path(id).num_moves == 0) visit(copy_at(target));
    for (int before = 0; before < space_.size(); ++before) {
      const std::optional<Edge> last = states_.edge(before, target);
      if (!last) continue;
      for (const int id : paths.paths_of(before)) {
        std::vector<int> along = paths.states_along(id);
        along.push_back(target);
        visit(ReshardWay{extended(paths.path(id), *last), std::move(along)});
      }
    }
  }

  /// A slice without axes.
  ReshardWay copy_at(int state) const {
    ReshardWay way{{}, {state}};
    way.price.memory_bytes = 2 * space_.bytes(state);
    return way;
  }

  static Price extended(const Path& path, const Edge& edge) {
    Price price;
    price.move_seconds = path.seconds + edge.seconds;
    price.sent_bytes = path.sent_bytes + edge.sent_bytes;
    price.memory_bytes = path.memory_bytes + edge.new_bytes_last;
    price.num_moves = path.num_moves + 1;
    return price;
  }

  template <class ForEachWay>
  SearchResult found(const SearchOptions& options, ForEachWay for_each_way) const {
    return search_result<ReshardWay>(options, for_each_way, [this](const ReshardWay& way) { return steps_of(way); });
  }

  std::vector<Step> steps_of(const ReshardWay& way) const {
    std::vector<Step> steps;
    states_.append_moves(steps, Operand::kA, way.states);
    if (steps.empty()) {
      const ArrayType type = space_.type(way.states.front());
      steps.emplace_back(Move{MoveKind::kSlice, Operand::kA, type, type, {}, {}});
    }
    put_in_order(std::get<Move>(steps.back()).to);
    return steps;
  }

  /// Gives the last result the dimension order that was asked for.
  void put_in_order(ArrayType& result) const {
    const ArrayType unordered = result;
    for (std::size_t d = 0; d < to_.dims.size(); ++d) {
      if (to_.dims[d].index.empty()) continue;
      const auto found = std::find(unordered.dims.begin(), unordered.dims.end(), to_.dims[d]) - unordered.dims.begin();
      result.dims[d] = to_.dims[d];
      result.sharding.dims[d] = unordered.sharding.dims[static_cast<std::size_t>(found)];
    }
    result.name = to_.name;
  }

  AxisSet unreduced_axes() const {
    return axes_.pack(from_.sharding).unreduced != 0 ? axes_.all() : axes_.pack(ordered_to_.sharding).unreduced;
  }

  const ArrayType& from_;
  const ArrayType& to_;
  ArrayType ordered_to_;
  const AxisNumbering& axes_;
  CostModel cost_;
  StateSpace space_;
  ArrayStates states_;
};

MoveKind move_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllGather: return MoveKind::kAllGather;
    case CollectiveKind::kReduceScatter: return MoveKind::kReduceScatter;
    case CollectiveKind::kAllReduce: return MoveKind::kAllReduce;
    case CollectiveKind::kAllToAll: return MoveKind::kAllToAll;
  }
  __builtin_unreachable();
}

class CollectiveSearch final : public ReshardSearch {
 public:
  CollectiveSearch(const Collective& collective, const AxisNumbering& axes, const Machine& machine)
      : ReshardSearch(collective.from, collective.to, axes, machine), collective_(collective) {}

  SearchResult run(const SearchOptions& options) const override {
    SearchResult result = single(options);
    if (!result.best) return result;
    const Move& move = std::get<Move>(result.best->steps.front());
    if (move.kind != move_of(collective_.kind) && !move.axes.empty())
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("{} is not what leads from one side of {} to the other; {} is", name(collective_.kind),
                              collective_.from.name, name(move.kind)));
    return result;
  }

  SearchResult within(double /*seconds*/, const SearchOptions& options) const override { return run(options); }

 private:
  const Collective& collective_;
};

}  // namespace

std::unique_ptr<const MachineSearch> reshard_search(const Reshard& reshard, const AxisNumbering& axes,
                                                    const Machine& machine) {
  return std::make_unique<const ReshardSearch>(reshard.from, reshard.to, axes, machine);
}

std::unique_ptr<const MachineSearch> collective_search(const Collective& collective, const AxisNumbering& axes,
                                                       const Machine& machine) {
  return std::make_unique<const CollectiveSearch>(collective, axes, machine);
}

}  // namespace meshmul
