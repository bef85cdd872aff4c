#pragma once
// What every collective must do on all of its cases.

#include <gmock/gmock.h>

#include <vector>

#include "schedule/checked_run.hpp"
#include "schedule/expect_proven.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul::testing {

/// All that a backend may offer.
inline std::vector<Capabilities> all_capabilities() {
  std::vector<Capabilities> all;
  for (const bool get : {true, false})
    for (const bool addressable : {true, false})
      for (const bool strided : {true, false})
        for (const bool barrier : {true, false}) all.push_back({get, addressable, strided, barrier});
  return all;
}

/// What `legalize` may leave.
inline bool within(const Capabilities& required, const Capabilities& available) {
  return (available.get || !required.get) && (available.addressable || !required.addressable) &&
         (available.strided || !required.strided) && (available.barrier || !required.barrier);
}

/// Lowers each case by `algorithm`, legalizes it for every backend, and runs it. Stops at the first case that is wrong.
/// Sanitizers take a part of the cases.
inline void expect_all_right(const std::vector<MoveCase>& cases, Algorithm algorithm) {
  for (std::size_t i = 0; i < cases.size(); i += MESHMUL_RANDOM_CASE_DIVISOR) {
    const MoveCase& move = cases[i];
    const Schedule schedule = lower(move.plan(), {algorithm});
    if (schedule.num_ranks() <= 4) {  // trying every wait takes time
      EXPECT_EQ(redundant_wait_in(schedule), std::nullopt) << move.str() << "\n" << to_string(schedule);
    }
    for (const Capabilities& available : all_capabilities()) {
      const Schedule legal = legalize(schedule, available);
      SCOPED_TRACE(move.str() + "\n" + to_string(legal));
      EXPECT_TRUE(within(legal.capabilities, available));
      expect_proven(legal);
      expect_right_numbers(legal);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace meshmul::testing
