#pragma once
// Proves a schedule, or says what is wrong with it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

enum class Rule { kWellFormed, kDeadlock, kRace, kCoverage };
std::string_view name(Rule rule);

/// One fault: the rule, the op at fault where there is one, a sentence.
struct Finding {
  Rule rule = Rule::kWellFormed;
  std::optional<OpPlace> place;
  std::string sentence;
  bool operator==(const Finding&) const = default;
};

/// All findings; none means proven. A rule that needs an earlier one to hold runs only when it does: deadlock needs
/// well-formed, race and coverage need freedom from deadlock.
std::vector<Finding> verify(const Schedule& schedule);

/// `coverage: rank 2, lane compute, op 3 (line 41): …`
std::string to_string(const Finding& finding, const Schedule& schedule);

}  // namespace meshmul
