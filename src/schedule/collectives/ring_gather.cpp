#include "ring_gather.hpp"

#include "ring.hpp"
#include "ring_plan.hpp"

namespace meshmul {
namespace {

// A block of every rank goes one hop on.
void send_on(ScheduleBuilder& builder, const RingPart& part, const RingStep& step, const HeldBlocks& held,
             const std::vector<Box>& blocks, const PlacedArray& from, const PlacedArray& to, Ways ways) {
  const int axis = part.axis(step.phase);
  const auto size = static_cast<int>(builder.mesh().size(axis));
  for (const Stream& stream : streams_of(size, ways, part.lane_pair(step.phase)))
    for (const Ring& ring : rings_along(builder.mesh(), {axis}))
      for (int origin = 0; origin < ring.size(); ++origin) {
        const int owner = held[static_cast<std::size_t>(ring.rank(origin))][static_cast<std::size_t>(step.block)];
        const Box box = stream.share(part.of(blocks[static_cast<std::size_t>(owner)]), step.hop);
        if (box.empty()) continue;
        const int here = ring.rank(origin + stream.step * (step.hop - 1));
        const PlacedArray& source = owner == here ? from : to;
        builder.put(stream.lane, to.region(ring.rank(origin + stream.step * step.hop), box), source.region(here, box));
      }
}

}  // namespace

void gather_in_rings(ScheduleBuilder& builder, const std::vector<Box>& blocks, const PlacedArray& from,
                     const PlacedArray& to, const std::vector<int>& axes, Ways ways) {
  const RingPlan plan = plan_rings(builder.mesh(), axes, ways);
  std::vector<std::vector<HeldBlocks>> held;
  for (const RingPart& part : plan.parts) held.push_back(held_by_phase(builder.mesh(), part, ways, Travel::kAway));
  for (const RingStep& step : plan.steps)
    send_on(builder, plan.parts[step.part], step, held[step.part][static_cast<std::size_t>(step.phase)], blocks, from,
            to, ways);
}

}  // namespace meshmul
