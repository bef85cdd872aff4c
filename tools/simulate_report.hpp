#pragma once
// What `meshmul simulate` prints: the time, what it went into, how busy everything is, and what other ways to build it take.

#include <string>
#include <vector>

#include "json.hpp"
#include "meshmul/simulate.hpp"
#include "meshmul/tune.hpp"
#include "plan/report/setting.hpp"
#include "simulate_plan.hpp"

namespace meshmul::cli {

/// What was asked and found. Keeps a reference to what `setting` does.
struct SimulateReport {
  std::string subject;  ///< a statement, or the name of a file
  Setting setting;
  Simulated chosen;
  std::vector<Candidate> candidates;  ///< all ways to build it that were tried, fastest first; none if it was read
};

std::string as_text(const SimulateReport& report);
Json as_json(const SimulateReport& report);

}  // namespace meshmul::cli
