#pragma once
// From a plan to a schedule, and from a schedule to one that a backend can run.

#include <optional>
#include <span>
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
/// All of them but kAutomatic.
std::span<const Algorithm> algorithms();
std::optional<Algorithm> parse_algorithm(std::string_view text);

struct LowerOptions {
  Algorithm algorithm = Algorithm::kAutomatic;
};

/// Lowers the steps of `plan` one after the other, without overlap. docs/collectives.md. What it requires besides what its
/// ops use is the barrier between runs.
Schedule lower(const Plan& plan, const LowerOptions& options = {});

/// Rewrites what `available` lacks: a get becomes a put that the owner is asked for, strided boxes are packed, touches
/// of a peer's memory become transfers, and without a barrier between runs each rank tells those whose memory meets its own
/// when a run begins and ends. Leaves everything else as it is, and requires only what the result uses; the barrier if the
/// given one does, or if ops were rewritten. The only place where backends differ. Throws Error(kInvalidArgument) if a word has two writing lanes, or a wait is for more
/// increments than there are.
Schedule legalize(const Schedule& schedule, const Capabilities& available);

}  // namespace meshmul
