#pragma once
// What a run prints: what was done, how fast, with how much memory, and whether the result is right.

#include <cstdint>
#include <optional>
#include <string>

#include "meshmul/check.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "time_comparison.hpp"

namespace meshmul::cli {

struct RunResult {
  Plan plan;
  LowerOptions lower;  ///< how it was built
  std::string backend;
  RunReport measured;
  std::int64_t bytes_moved = 0;  ///< between ranks
  bool replicas_agree = true;
  std::string output;  ///< where it was written; may be empty
  std::optional<CheckResult> check;
  std::optional<Timeline> timeline;  ///< as it was recorded, if that was asked for
  std::optional<TimeComparison> times;
};

std::string as_text(const RunResult& result);
std::string as_json(const RunResult& result);

}  // namespace meshmul::cli
