// The search of a change of sharding, and the price of a collective.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "meshmul/error.hpp"
#include "plan/dimension_order.hpp"
#include "plan/paths.hpp"
#include "plan/search.hpp"

namespace meshmul {
namespace {

struct ReshardWay {
  Price price;
  std::vector<int> states;
};

class ReshardSearch {
 public:
  ReshardSearch(const ArrayType& from, const ArrayType& to, const Mesh& mesh, const Machine& machine,
                const SearchOptions& options)
      : from_(from),
        to_(to),
        ordered_to_(in_order_of(from, to)),
        options_(options),
        axes_(mesh),
        cost_(axes_, machine),
        states_(from, {from.dtype, from.dtype, axes_.pack(ordered_to_.sharding).unreduced}, unreduced_axes(), axes_,
                cost_, places_in(from, to)) {}

  /// Every way to make the last move, each after the best ways to get where it starts.
  SearchResult run() const {
    const PathTable paths(states_, Direction::kFromAnchors, input_anchors(from_, states_, axes_),
                          options_.seconds_limit);
    return found([&](const auto& visit) {
      for (const Anchor& target : output_anchors(ordered_to_, states_, axes_)) for_each_way(paths, target.state, visit);
    });
  }

  /// The single move from one side to the other.
  SearchResult run_single() const {
    const int from = states_.find(axes_.pack(from_.sharding));
    const int to = states_.find(axes_.pack(ordered_to_.sharding));
    return found([&](const auto& visit) {
      if (from == to) visit(copy_at(to));
      if (const std::optional<Edge> edge = states_.edge(from, to))
        visit(ReshardWay{extended({0, 0, 0, states_.bytes(from), from, -1}, *edge), {from, to}});
    });
  }

 private:
  template <class Visit>
  void for_each_way(const PathTable& paths, int target, Visit visit) const {
    for (const int id : paths.paths_of(target))
      if (paths.path(id).num_moves == 0) visit(copy_at(target));
    for (int before = 0; before < states_.num_states(); ++before) {
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
    way.price.memory_bytes = 2 * states_.bytes(state);
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
  SearchResult found(ForEachWay for_each_way) const {
    return search_result<ReshardWay>(options_, for_each_way, [this](const ReshardWay& way) { return steps_of(way); });
  }

  std::vector<Step> steps_of(const ReshardWay& way) const {
    std::vector<Step> steps;
    states_.append_moves(steps, Operand::kA, way.states);
    if (steps.empty()) {
      const ArrayType type = states_.type(way.states.front());
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
  const SearchOptions& options_;
  AxisNumbering axes_;
  CostModel cost_;
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

}  // namespace

SearchResult search_reshard(const Reshard& reshard, const Mesh& mesh, const Machine& machine,
                            const SearchOptions& options) {
  return ReshardSearch(reshard.from, reshard.to, mesh, machine, options).run();
}

SearchResult price_collective(const Collective& collective, const Mesh& mesh, const Machine& machine,
                              const SearchOptions& options) {
  SearchResult result = ReshardSearch(collective.from, collective.to, mesh, machine, options).run_single();
  if (!result.best) return result;
  const Move& move = std::get<Move>(result.best->steps.front());
  if (move.kind != move_of(collective.kind) && !move.axes.empty())
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} is not what leads from one side of {} to the other; {} is",
                                                         name(collective.kind), collective.from.name, name(move.kind)));
  return result;
}

}  // namespace meshmul
