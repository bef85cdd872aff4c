#pragma once
// What every collective must do on all of its cases.

#include <gmock/gmock.h>

#include <vector>

#include "schedule/checked_run.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul::testing {

/// All that a backend may offer.
inline std::vector<Capabilities> all_capabilities() {
  std::vector<Capabilities> all;
  for (const bool get : {true, false})
    for (const bool addressable : {true, false})
      for (const bool strided : {true, false}) all.push_back({get, addressable, strided});
  return all;
}

/// What `legalize` may leave.
inline bool within(const Capabilities& required, const Capabilities& available) {
  return (available.get || !required.get) && (available.addressable || !required.addressable) &&
         (available.strided || !required.strided);
}

/// Lowers each case by `algorithm`, legalizes it for every backend, and runs it. Stops at the first case that is wrong.
inline void expect_all_right(const std::vector<MoveCase>& cases, Algorithm algorithm) {
  for (const MoveCase& move : cases) {
    const Schedule schedule = lower(move.plan(), {algorithm});
    for (const Capabilities& available : all_capabilities()) {
      const Schedule legal = legalize(schedule, available);
      SCOPED_TRACE(move.str() + "\n" + to_string(legal));
      EXPECT_TRUE(within(legal.capabilities, available));
      expect_right_numbers(legal);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace meshmul::testing
