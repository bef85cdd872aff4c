// The block of rank q starts as the term of the rank farthest from q and collects the term of every rank on its way, until
// q adds its own. A rank receives into two slots in turn, so that a neighbour may send while the last block is added to;
// a slot is sent into again only once what it held has gone on. On four ranks, one way, what the slots hold:
//
//     rank   hop 1       hop 2          hop 3                then
//      0     c3          b2+b3          a1+a2+a3             a1+a2+a3+a0
//      1     d0          c3+c0          b2+b3+b0             b2+b3+b0+b1
//      2     a1          d0+d1          c3+c0+c1             …
//      3     b2          a1+a2          d0+d1+d2
//
// Over several axes each part of the blocks goes round one axis after the other, backwards through the phases of a gather:
// first a rank adds up, along one axis, the blocks of all ranks that have its coordinate there.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "box_stacks.hpp"
#include "collectives.hpp"
#include "cut.hpp"
#include "ring.hpp"
#include "ring_gather.hpp"
#include "ring_parts.hpp"
#include "ring_plan.hpp"
#include "sum_round.hpp"

namespace meshmul {
namespace {

/// The sums of one part of the blocks, phase by phase.
class PartSums {
 public:
  PartSums(ScheduleBuilder& builder, const RingPart& part, const std::vector<Box>& blocks, const PlacedArray& from,
           const PlacedArray& to, Ways ways, const BeforeUse& before_use)
      : builder_(builder),
        part_(part),
        dtype_(from.type.dtype),
        name_(builder.buffer(to.buffer).name),
        ways_(ways),
        held_(held_by_phase(builder.mesh(), part, ways, Travel::kHome)),
        terms_([&from, &before_use](int rank, int, const Box& box) {
          if (before_use) before_use(rank, box);
          return from.region(rank, box);
        }),
        ends_([&to](int rank, int, const Box& box) { return to.region(rank, box); }) {
    for (const Box& block : blocks) blocks_.push_back(part.of(block));
    if (part.num_phases() > 1) name_ += fmt::format(".part{}", part.index());
  }

  /// A phase counts as in a gather, so the last one comes first. `in_place`: the sums end in the result.
  SumRound round(int phase, bool in_place) {
    const int axis = part_.axis(phase);
    const std::string name = part_.num_phases() > 1 ? name_ + "." + builder_.mesh().name(axis) : name_;
    BoxStacks stacks = stacks_of(phase);
    const Places sums = in_place ? ends_ : places_in_buffer(name + ".sum", stacks);
    const auto size = static_cast<int>(builder_.mesh().size(axis));
    SumRound round(builder_, axis, streams_of(size, ways_, part_.lane_pair(phase)), std::move(stacks), terms_, sums);
    round.add_slots(name, dtype_);
    terms_ = sums;
    return round;
  }

  /// Copies what the last round left, or the only term there is, into the result.
  void convert() {
    for (int rank = 0; rank < builder_.num_ranks(); ++rank) {
      const Box& block = blocks_[static_cast<std::size_t>(rank)];
      if (!block.empty()) builder_.copy(ends_(rank, rank, block), terms_(rank, rank, block));
    }
  }

 private:
  // The blocks that a rank adds up in `phase`: those that it would hold before it in a gather.
  BoxStacks stacks_of(int phase) const { return {held_[static_cast<std::size_t>(phase)], blocks_}; }

  Places places_in_buffer(const std::string& name, const BoxStacks& stacks) {
    const int buffer = builder_.add_buffer(name, dtype_, stacks.shape());
    return
        [buffer, stacks](int rank, int owner, const Box& box) { return stacks.region(rank, buffer, rank, owner, box); };
  }

  ScheduleBuilder& builder_;
  RingPart part_;
  Dtype dtype_;
  std::string name_;
  Ways ways_;
  std::vector<Box> blocks_;
  std::vector<HeldBlocks> held_;  // by phase: before it, in a gather
  Places terms_;                  // of the round that comes next
  Places ends_;
};

// A hop of a reduction, or the end of the last one.
struct ReductionEvent {
  double time = 0;  // until the end of the reduction
  bool ends = false;
  RingStep step;
};

// A reduction is a gather backwards: a hop begins where that of a gather ends, and the sum is there where the gather could
// begin. What ends at one time does so in the order of a reduction, and before a hop.
std::vector<ReductionEvent> reduction_order(const std::vector<RingStep>& gather) {
  std::vector<ReductionEvent> events;
  for (const RingStep& step : gather) {
    events.push_back({step.end, false, step});
    if (step.hop == 1) events.push_back({step.ready, true, step});
  }
  const auto key = [](const ReductionEvent& event) { return std::tuple(event.time, event.ends, event.step.phase); };
  std::stable_sort(events.begin(), events.end(),
                   [&](const ReductionEvent& a, const ReductionEvent& b) { return key(a) > key(b); });
  return events;
}

// Brings the sum of block r to rank r, from all ranks that differ only along `axes`.
void sum_in_rings(ScheduleBuilder& builder, const std::vector<Box>& blocks, const PlacedArray& from,
                  const PlacedArray& to, const std::vector<int>& axes, Ways ways, const BeforeUse& before_use) {
  const RingPlan plan = plan_rings(builder.mesh(), axes, ways);
  const std::vector<RingPart>& parts = plan.parts;
  const int num_phases = parts.front().num_phases();
  // Sums that come in the dtype of the result end in the result; others are converted once more at their owner.
  const bool same_dtype = from.type.dtype == to.type.dtype;
  std::vector<PartSums> sums;
  std::vector<std::vector<SumRound>> rounds(parts.size());  // by part, the last phase first
  for (std::size_t p = 0; p < parts.size(); ++p) {
    sums.emplace_back(builder, parts[p], blocks, from, to, ways, before_use);
    for (int phase = num_phases - 1; phase >= 0; --phase)
      rounds[p].push_back(sums[p].round(phase, phase == 0 && same_dtype));
  }
  for (const ReductionEvent& event : reduction_order(plan.steps)) {
    const RingStep& step = event.step;
    SumRound& round = rounds[step.part][static_cast<std::size_t>(num_phases - 1 - step.phase)];
    event.ends ? round.end(step.block) : round.hop(step.block, step.hop);
  }
  for (PartSums& part : sums)
    if (num_phases == 0 || !same_dtype) part.convert();
}

}  // namespace

void ring_reduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways,
                 const BeforeUse& before_use) {
  const Mesh& mesh = builder.mesh();
  const ReductionGroups groups = reduction_groups(from.type, to.type);
  const std::vector<Box> shares = shares_of_work(mesh, to, groups);
  sum_in_rings(builder, shares, from, to, groups.summed, ways, before_use);
  gather_in_rings(builder, shares, to, to, groups.replicated, ways);
}

}  // namespace meshmul
