#pragma once
// From a plan to a schedule, and from a schedule to one that a backend can run.

#include <optional>
#include <string>
#include <string_view>

#include "meshmul/plan.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

/// How a collective is built. kAutomatic takes kDirect.
enum class Algorithm {
  kAutomatic,
  kDirect,        ///< all peers at once
  kRing,          ///< one way
  kRingBothWays,  ///< both ways, the antipodal chunk split
};
std::string_view name(Algorithm algorithm);
std::optional<Algorithm> parse_algorithm(std::string_view text);

struct LowerOptions {
  Algorithm algorithm = Algorithm::kAutomatic;
};

/// Lowers the steps of `plan` one after the other, without overlap. Debug builds verify the result.
Schedule lower(const Plan& plan, const LowerOptions& options = {});

/// Rewrites what `available` lacks: a get becomes a put and a ready credit, strided boxes are packed, touches of a
/// peer's memory become transfers, neighbouring gemms merge. Leaves everything else as it is. The only place where
/// backends differ.
Schedule legalize(const Schedule& schedule, const Capabilities& available);

}  // namespace meshmul
