#include "meshmul/verify.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <future>
#include <utility>

#include "alike.hpp"
#include "race_walk.hpp"
#include "rules.hpp"
#include "schedule/op_count.hpp"
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

namespace {

using verification::one_of_each_kind;

// All rules, every finding for itself.
std::vector<Finding> find_all(const Schedule& schedule, const VerifyOptions& options) {
  std::vector<Finding> findings = verification::check_well_formed(schedule);
  if (!findings.empty()) return findings;
  const auto add = [&findings](const std::vector<Finding>& more) {
    findings.insert(findings.end(), more.begin(), more.end());
    return more.empty();
  };
  add(verification::check_memory(schedule, options.memory_bytes));
  const verification::TokenRun run = verification::run_tokens(schedule);
  add(verification::check_drained(schedule, run));
  if (!run.stuck.empty()) {
    add(verification::check_deadlock(schedule, run));
    return findings;
  }
  // A walk along one order shows faults of that order, whether or not it is the only one.
  const auto coverage = [&] { return verification::check_coverage(schedule, run); };
  constexpr std::int64_t kOpsWorthAThread = 10'000;
  std::future<std::vector<Finding>> beside;
  if (num_ops(schedule) >= kOpsWorthAThread) beside = std::async(coverage);
  {
    const bool is_followed = !schedule.capabilities.barrier;
    const verification::RaceWalk walk(schedule, run, is_followed);
    const bool has_no_race = add(verification::check_races(schedule, walk));
    if (has_no_race && is_followed) add(verification::check_back_to_back(schedule, walk));
  }
  add(beside.valid() ? beside.get() : coverage());
  return findings;
}

}  // namespace

std::vector<Finding> verify(const Schedule& schedule, const VerifyOptions& options) {
  return one_of_each_kind(find_all(schedule, options), schedule);
}

std::vector<Finding> check_runnable(const Schedule& schedule) {
  std::vector<Finding> findings = verification::check_well_formed(schedule);
  if (findings.empty()) findings = check_ends(schedule);
  return one_of_each_kind(std::move(findings), schedule);
}

std::vector<Finding> check_ends(const Schedule& schedule) {
  const verification::TokenRun run = verification::run_tokens(schedule);
  if (run.stuck.empty()) return {};
  return verification::check_deadlock(schedule, run);
}

std::string to_string(const Finding& finding, const Schedule& schedule) {
  std::string text(name(finding.rule));
  if (finding.place) text += ": " + verification::op_text(schedule, *finding.place);
  text += ": " + finding.sentence;
  if (finding.num_alike > 0) text += fmt::format(" (and {} more like it)", finding.num_alike);
  return text;
}

}  // namespace meshmul
