#pragma once
// What every collective must do on all of its cases.

#include <gmock/gmock.h>

#include <vector>

#include "schedule/checked_run.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul::testing {

/// Lowers each case by `algorithm` and runs it. Stops at the first case that is wrong.
inline void expect_all_right(const std::vector<MoveCase>& cases, Algorithm algorithm) {
  for (const MoveCase& move : cases) {
    SCOPED_TRACE(move.str());
    expect_right_numbers(lower(move.plan(), {algorithm}));
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace meshmul::testing
