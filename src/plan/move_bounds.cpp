#include "plan/move_bounds.hpp"

#include <algorithm>
#include <limits>

namespace meshmul {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Calls `f` with every subset of `set` but the empty one.
template <class F>
void for_each_part(AxisSet set, F&& f) {
  for (AxisSet part = set; part != 0; part = (part - 1) & set) f(part);
}

}  // namespace

MoveBounds::MoveBounds(const StateSpace& space, const CostModel& cost)
    : space_(space), num_sets_(space.axes().all() + 1) {
  find_least_bytes();
  find_travels(cost);
  find_reductions(cost);
}

void MoveBounds::find_least_bytes() {
  least_bytes_.assign(num_sets_, kInfinity);
  for (int state = 0; state < space_.size(); ++state) {
    double& least = least_bytes_[space_.sharding(state).cut];
    least = std::min(least, space_.bytes(state));
  }
  for (AxisSet set = 0; set < num_sets_; ++set)
    for_each_part(set,
                  [&](AxisSet part) { least_bytes_[set] = std::min(least_bytes_[set], least_bytes_[set & ~part]); });
}

void MoveBounds::find_travels(const CostModel& cost) {
  const AxisSet all = space_.axes().all();
  // The least of a move in which axes travel, and maybe others, after which those that are gone cut nothing.
  std::vector<double> move(num_sets_ * num_sets_, kInfinity);
  for (AxisSet gone = 0; gone <= all; ++gone)
    for_each_part(all, [&](AxisSet travelled) {
      const double exchanged = least_bytes_[all & ~gone];
      const double least =
          std::min({cost.price(MoveKind::kAllGather, travelled, least_bytes_[all & ~(gone | travelled)]).seconds,
                    cost.price(MoveKind::kAllToAll, travelled, exchanged).seconds,
                    cost.price(MoveKind::kRedistribute, travelled, exchanged).seconds});
      for_each_part(travelled, [&](AxisSet part) {
        double& known = move[place(part, gone)];
        known = std::min(known, least);
      });
    });
  // The last move, and what went before.
  travels_.assign(num_sets_ * num_sets_, kInfinity);
  travels_[place(0, 0)] = 0;
  for (AxisSet travelling = 1; travelling <= all; ++travelling)
    for (AxisSet gone = 0; gone <= travelling; ++gone) {
      if ((gone & ~travelling) != 0) continue;
      double& least = travels_[place(travelling, gone)];
      for_each_part(travelling, [&](AxisSet last) {
        least = std::min(least, move[place(last, gone)] + travels_[place(travelling & ~last, gone & ~last)]);
      });
    }
}

void MoveBounds::find_reductions(const CostModel& cost) {
  const AxisSet all = space_.axes().all();
  reductions_.assign(num_sets_, 0);
  for (AxisSet reduced = 1; reduced <= all; ++reduced) {
    reductions_[reduced] = kInfinity;
    for_each_part(all, [&](AxisSet travelled) {
      if ((travelled & reduced) == 0) return;
      // The array may be made partial over idle axes, so that more links share the work. None of all these cuts anything.
      const double bytes = least_bytes_[all & ~(reduced | travelled)];
      const double seconds = std::min(cost.price(MoveKind::kReduceScatter, travelled, bytes).seconds,
                                      cost.price(MoveKind::kAllReduce, travelled, bytes).seconds);
      reductions_[reduced] = std::min(reductions_[reduced], seconds + reductions_[reduced & ~travelled]);
    });
  }
}

}  // namespace meshmul
