// What the planner and the builders make of random statements is proven, as it is and legalized.

#include <gmock/gmock.h>

#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "notation/random_statement.hpp"
#include "properties/check_property.hpp"
#include "verify/schedules.hpp"

namespace meshmul {
namespace {

TEST(LoweredSchedules, OfRandomStatementsAreProven) {
  testing::check_property(200, [] {
    const testing::StatementCase c =
        *rc::gen::exec([] { return testing::RandomStatement(testing::Sizes::kAllKnown).make(); });
    RC_PRE(c.mesh.num_devices() <= 32);
    const Plan best = plan(c.statement, c.mesh, find_hardware("cpu"));
    for (const Algorithm algorithm : algorithms()) {
      const Schedule schedule = lower(best, {algorithm});
      RC_ASSERT(testing::findings_of(schedule) == std::vector<std::string>{});
      for (const bool barrier : {true, false}) {
        const Schedule plain = legalize(schedule, {false, false, false, barrier});
        RC_ASSERT(testing::findings_of(plain) == std::vector<std::string>{});
      }
      const Schedule back_to_back = legalize(schedule, {.barrier = false});
      RC_ASSERT(testing::findings_of(back_to_back) == std::vector<std::string>{});
    }
  });
}

}  // namespace
}  // namespace meshmul
