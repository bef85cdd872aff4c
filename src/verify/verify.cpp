#include "meshmul/verify.hpp"

#include <fmt/format.h>

#include "rules.hpp"
#include "token_run.hpp"
#include "words.hpp"

namespace meshmul {

std::string_view name(Rule rule) {
  switch (rule) {
    case Rule::kWellFormed: return "well-formed";
    case Rule::kDeadlock: return "deadlock";
    case Rule::kDrained: return "drained";
    case Rule::kMemory: return "memory";
    case Rule::kRace: return "race";
    case Rule::kBackToBack: return "back-to-back";
    case Rule::kCoverage: return "coverage";
  }
  return "";
}

std::vector<Finding> verify(const Schedule& schedule, const VerifyOptions& options) {
  std::vector<Finding> findings = verification::check_well_formed(schedule);
  if (!findings.empty()) return findings;
  const auto add = [&findings](const std::vector<Finding>& more) {
    findings.insert(findings.end(), more.begin(), more.end());
    return more.empty();
  };
  add(verification::check_memory(schedule, options.memory_bytes));
  add(verification::check_drained(schedule));
  const verification::TokenRun run = verification::run_tokens(schedule);
  if (!run.stuck.empty()) {
    add(verification::check_deadlock(schedule, run));
    return findings;
  }
  const bool has_no_race = add(verification::check_races(schedule, run));
  if (has_no_race && options.back_to_back) add(verification::check_back_to_back(schedule, run));
  // A walk along one order shows faults of that order, whether or not it is the only one.
  add(verification::check_coverage(schedule, run));
  return findings;
}

std::string to_string(const Finding& finding, const Schedule& schedule) {
  if (!finding.place) return fmt::format("{}: {}", name(finding.rule), finding.sentence);
  return fmt::format("{}: {}: {}", name(finding.rule), verification::op_text(schedule, *finding.place),
                     finding.sentence);
}

}  // namespace meshmul
