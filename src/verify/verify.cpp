#include "meshmul/verify.hpp"

#include <fmt/format.h>

#include "rules.hpp"
#include "token_run.hpp"

namespace meshmul {

std::string_view name(Rule rule) {
  switch (rule) {
    case Rule::kWellFormed: return "well-formed";
    case Rule::kDeadlock: return "deadlock";
    case Rule::kRace: return "race";
    case Rule::kCoverage: return "coverage";
  }
  return "";
}

std::vector<Finding> verify(const Schedule& schedule) {
  std::vector<Finding> findings = verification::check_well_formed(schedule);
  if (!findings.empty()) return findings;
  const verification::TokenRun run = verification::run_tokens(schedule);
  if (!run.stuck.empty()) return verification::check_deadlock(schedule, run);
  findings = verification::check_races(schedule, run);
  // A walk along one order shows faults of that order, whether or not it is the only one.
  const std::vector<Finding> of_values = verification::check_coverage(schedule, run);
  findings.insert(findings.end(), of_values.begin(), of_values.end());
  return findings;
}

std::string to_string(const Finding& finding, const Schedule& schedule) {
  if (!finding.place) return fmt::format("{}: {}", name(finding.rule), finding.sentence);
  const OpPlace& place = *finding.place;
  const RankProgram& program = schedule.ranks[static_cast<std::size_t>(place.rank)];
  return fmt::format("{}: rank {}, lane {}, op {} (line {}): {}", name(finding.rule), place.rank,
                     program.lanes[static_cast<std::size_t>(place.lane)].name, place.op, line_of(schedule, place),
                     finding.sentence);
}

}  // namespace meshmul
