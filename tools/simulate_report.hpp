#pragma once
// What `meshmul simulate` prints: the time, what it went into, how busy everything is, and what other algorithms take.

#include <string>
#include <utility>
#include <vector>

#include "json.hpp"
#include "meshmul/simulate.hpp"
#include "plan/report/setting.hpp"

namespace meshmul::cli {

/// A schedule, and when its ops ran.
struct Simulated {
  std::string algorithm;  ///< by which its collectives were built; empty if that is not known
  Schedule schedule;
  Timeline timeline;
};

/// What was asked and found. Keeps a reference to what `setting` does.
struct SimulateReport {
  std::string subject;  ///< a statement, or the name of a file
  Setting setting;
  Simulated chosen;
  std::vector<std::pair<std::string, std::int64_t>> makespans_ps;  ///< of all algorithms that were tried, fastest first
};

std::string as_text(const SimulateReport& report);
Json as_json(const SimulateReport& report);

}  // namespace meshmul::cli
