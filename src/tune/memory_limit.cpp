// What is said where a way to build a plan takes too much memory: which one takes least.

#include <fmt/format.h>

#include <utility>

#include "meshmul/error.hpp"
#include "meshmul/tune.hpp"
#include "schedule/builder.hpp"

namespace meshmul {
namespace {

std::int64_t peak_bytes(const Plan& plan) { return plan.peak_bytes; }
std::int64_t peak_bytes(const ProgramPlan& plan) { return plan.best.peak_bytes; }

LowerOptions with_fewest_slots(LowerOptions way) {
  way.overlap.slots = 2;
  return way;
}
ProgramWay with_fewest_slots(ProgramWay way) {
  way.rest = with_fewest_slots(way.rest);
  for (PartWay& part : way.parts) part.lower = with_fewest_slots(part.lower);
  return way;
}

template <class AnyPlan, class Way>
[[noreturn]] void refuse(const AnyPlan& plan, const Way& way, std::int64_t bytes, std::int64_t most,
                         const Hardware& hardware, const Capabilities& available) {
  std::vector<Way> others;
  if (plan.mesh.num_devices() <= ScheduleBuilder::kMaxRanks) {  // else one group of ranks stood for all
    for (const LowerOptions& other : ways_to_build(plan, hardware, available)) others.push_back(other);
    others.push_back(with_fewest_slots(way));
  }
  std::pair<Way, std::int64_t> least{way, bytes};
  for (const Way& other : others)
    if (const std::int64_t its_bytes = bytes_per_rank(legalize(lower(plan, other), available));
        its_bytes < least.second)
      least = {other, its_bytes};
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("built {}, the schedule takes {} bytes a rank; expected at most {} (the plan takes {}; slots "
                  "and what a backend stages come besides); {}",
                  to_string(way), bytes, most, peak_bytes(plan),
                  least.second == bytes ? "no other way takes less"
                                        : fmt::format("built {}, it takes {}", to_string(least.first), least.second)));
}

}  // namespace

void refuse_memory(const Plan& plan, const LowerOptions& way, std::int64_t bytes, std::int64_t most,
                   const Hardware& hardware, const Capabilities& available) {
  refuse(plan, way, bytes, most, hardware, available);
}

void refuse_memory(const ProgramPlan& plan, const ProgramWay& way, std::int64_t bytes, std::int64_t most,
                   const Hardware& hardware, const Capabilities& available) {
  refuse(plan, way, bytes, most, hardware, available);
}

}  // namespace meshmul
