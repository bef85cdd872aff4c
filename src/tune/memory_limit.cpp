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

template <class AnyPlan>
[[noreturn]] void refuse(const AnyPlan& plan, const LowerOptions& way, std::int64_t bytes, std::int64_t most,
                         const Hardware& hardware, const Capabilities& available) {
  std::vector<LowerOptions> others;
  if (plan.mesh.num_devices() <= ScheduleBuilder::kMaxRanks) {  // else one group of ranks stood for all
    others = ways_to_build(plan, hardware, available);
    others.push_back(way);
    others.back().overlap.slots = 2;
  }
  std::pair<LowerOptions, std::int64_t> least{way, bytes};
  for (const LowerOptions& other : others)
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

void refuse_memory(const ProgramPlan& plan, const LowerOptions& way, std::int64_t bytes, std::int64_t most,
                   const Hardware& hardware, const Capabilities& available) {
  refuse(plan, way, bytes, most, hardware, available);
}

}  // namespace meshmul
