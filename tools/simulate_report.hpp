#pragma once
// What `meshmul simulate` prints: the time, what it went into, how busy everything is, and what other algorithms take.

#include <string>
#include <utility>
#include <vector>

#include "json.hpp"
#include "meshmul/simulate.hpp"
#include "plan/report/setting.hpp"
#include "simulate_plan.hpp"

namespace meshmul::cli {

/// What was asked and found. Keeps a reference to what `setting` does.
struct SimulateReport {
  std::string subject;  ///< a statement, or the name of a file
  Setting setting;
  Simulated chosen;                                              ///< by kAutomatic if the schedule was read
  std::vector<std::pair<Algorithm, std::int64_t>> makespans_ps;  ///< of all algorithms that were tried, fastest first
};

std::string as_text(const SimulateReport& report);
Json as_json(const SimulateReport& report);

}  // namespace meshmul::cli
