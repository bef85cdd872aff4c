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

/// A way to build something, and the time that it takes.
struct WayTime {
  std::string way;
  std::int64_t makespan_ps = 0;
};

/// What was asked and found. Keeps a reference to what `setting` does.
struct SimulateReport {
  std::string subject;  ///< a statement, or the name of a file
  Setting setting;
  Simulated chosen;
  std::vector<WayTime> ways;  ///< all ways to build it that were tried, fastest first; none if it was read
};

/// Of a statement or a program.
template <class Way>
std::vector<WayTime> times_of(const std::vector<CandidateOf<Way>>& candidates) {
  std::vector<WayTime> times;
  for (const CandidateOf<Way>& candidate : candidates)
    times.push_back({to_string(candidate.lower), candidate.makespan_ps});
  return times;
}

std::string as_text(const SimulateReport& report);
Json as_json(const SimulateReport& report);

}  // namespace meshmul::cli
