#pragma once
// Proves a schedule, or says what is wrong with it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

enum class Rule { kWellFormed, kDeadlock, kDrained, kMemory, kRace, kBackToBack, kCoverage };
std::string_view name(Rule rule);

/// One fault: the rule, the op at fault where there is one, a sentence.
struct Finding {
  Rule rule = Rule::kWellFormed;
  std::optional<OpPlace> place;
  std::string sentence;
  std::int64_t num_alike = 0;  ///< others of one kind with it, which are left out
  bool operator==(const Finding&) const = default;
};

/// What is asked of a schedule beyond its contract.
struct VerifyOptions {
  /// Most bytes that the buffers of a rank may take together.
  std::optional<std::int64_t> memory_bytes = std::nullopt;
};

/// What is wrong; nothing means proven. Of findings of one rule that differ in numbers alone, the earliest in its lane is
/// given. A rule that needs an earlier one to hold runs only when it does: docs/verify.md.
std::vector<Finding> verify(const Schedule& schedule, const VerifyOptions& options = {});

/// The rules well-formed and deadlock alone: what a schedule must keep to be carried out at all, whatever comes out. Takes
/// time linear in its ops.
std::vector<Finding> check_runnable(const Schedule& schedule);
/// The rule deadlock alone, every finding for itself, of a schedule that is well-formed but perhaps for its contract.
std::vector<Finding> check_ends(const Schedule& schedule);

/// What no op and no holding touches at any rank, a sentence for each buffer. The schedule is well-formed.
std::vector<std::string> unused_memory(const Schedule& schedule);

/// `coverage: rank 2, lane compute, op 3 (line 41): … (and 5 more like it)`
std::string to_string(const Finding& finding, const Schedule& schedule);

}  // namespace meshmul
