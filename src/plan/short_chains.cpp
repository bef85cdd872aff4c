#include "plan/short_chains.hpp"

#include <bit>

#include "plan/array_states.hpp"

namespace meshmul {
namespace {

class ShortChains {
 public:
  ShortChains(const StateSpace& space, const CostModel& cost, std::optional<int> to, bool makes_output)
      : space_(space), cost_(cost), to_(to), makes_output_(makes_output) {}

  std::optional<ShortChain> best_from(int from) {
    end_at(from, {});
    const PackedSharding& start = space_.sharding(from);
    const AxisSet reduced = start.unreduced & ~(to_ ? space_.sharding(*to_).unreduced : 0);
    if (best_ || reduced == 0) return best_;
    PackedSharding complete = start;
    complete.unreduced &= ~reduced;
    reduce(from, complete);
    for (std::size_t dim = 0; dim < static_cast<std::size_t>(space_.num_dims()); ++dim) {
      PackedSharding scattered = complete;
      for (AxisSet left = reduced; left != 0; left &= left - 1) scattered.dims[dim].append(std::countr_zero(left));
      scattered.cut |= reduced;
      reduce(from, scattered);
    }
    return best_;
  }

 private:
  void reduce(int from, const PackedSharding& sums) {
    const int state = space_.find(sums);
    if (state == -1) return;
    const std::optional<Edge> reduction = edge(space_, cost_, from, state);
    if (!reduction) return;
    end_at(state,
           {reduction->seconds, is_end(state) && makes_output_ ? reduction->new_bytes_last : reduction->new_bytes});
  }

  bool is_end(int state) const { return to_ ? state == *to_ : space_.sharding(state).unreduced == 0; }

  /// Considers `chain`, which leads to `state`, with a move to the end if it is not there.
  void end_at(int state, ShortChain chain) {
    if (!is_end(state)) {
      if (!to_) return;
      const std::optional<Edge> last = edge(space_, cost_, state, *to_);
      if (!last) return;
      chain.seconds += last->seconds;
      chain.new_bytes += makes_output_ ? last->new_bytes_last : last->new_bytes;
    }
    if (!best_ || chain.seconds < best_->seconds) best_ = chain;
  }

  const StateSpace& space_;
  const CostModel& cost_;
  std::optional<int> to_;
  bool makes_output_;
  std::optional<ShortChain> best_;
};

}  // namespace

std::optional<ShortChain> short_chain(const StateSpace& space, const CostModel& cost, int from, std::optional<int> to,
                                      bool makes_output) {
  return ShortChains(space, cost, to, makes_output).best_from(from);
}

}  // namespace meshmul
