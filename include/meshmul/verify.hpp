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
  bool operator==(const Finding&) const = default;
};

/// What is asked of a schedule beyond its contract.
struct VerifyOptions {
  /// By default a run begins once the run before is over on all ranks. If this is set, every rank begins its next run as
  /// soon as its own lanes are through, its host reading outputs and writing inputs in between.
  bool back_to_back = false;
  /// Most bytes that the buffers of a rank may take together.
  std::optional<std::int64_t> memory_bytes = std::nullopt;
};

/// All findings; none means proven. A rule that needs an earlier one to hold runs only when it does: docs/verify.md.
std::vector<Finding> verify(const Schedule& schedule, const VerifyOptions& options = {});

/// `coverage: rank 2, lane compute, op 3 (line 41): …`
std::string to_string(const Finding& finding, const Schedule& schedule);

}  // namespace meshmul
