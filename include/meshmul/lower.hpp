#pragma once
// From a plan to a schedule, and from a schedule to one that a backend can run.

#include <cstdint>
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

/// How a product and a collective next to it become one program in which pieces are multiplied as they come.
enum class Design {
  kSequential,    ///< not at all: the collective, then the product, then the next collective
  kInPlace,       ///< operands are read, and sums are added to, where they lie at peers: nothing is copied
  kPull,          ///< who needs a piece reads it from its holder
  kPush,          ///< who has a piece writes it to who needs it: operands in rounds into slots, terms to the owner
  kRing,          ///< pieces go round a ring
  kRingBothWays,  ///< both ways
};
std::string_view name(Design design);
std::span<const Design> designs();
std::optional<Design> parse_design(std::string_view text);

/// How products are overlapped with what moves before and after them.
struct OverlapOptions {
  Design gather = Design::kSequential;  ///< of operands that are gathered or exchanged
  Design reduce = Design::kSequential;  ///< of partial sums
  /// Pieces of a shard, each with a gemm of its own: kPull of operands, kInPlace and kPush of sums.
  int chunks_per_shard = 1;
  /// kPush of operands: along the dimension that moves. Default: a quarter shard.
  std::optional<std::int64_t> rows_per_round = {};
  /// kPush of operands: rounds that have memory at a time, at least 2.
  int slots = 2;
  /// kPull of operands: most bytes of one get. Default: a chunk.
  std::optional<std::int64_t> copy_bytes = {};
  /// kPull of operands: lanes that take the gets in turn.
  int copy_lanes = 1;

  bool operator==(const OverlapOptions&) const = default;

  bool any() const { return gather != Design::kSequential || reduce != Design::kSequential; }
};

struct LowerOptions {
  Algorithm algorithm = Algorithm::kAutomatic;
  OverlapOptions overlap = {};
  bool operator==(const LowerOptions&) const = default;
};

/// Lowers the steps of `plan` one after the other; a product and the moves right before and after it as `options.overlap`
/// says. docs/collectives.md, docs/overlap.md. Throws Error(kInvalidArgument) if an option is out of its range or does not
/// go with another. What it requires besides what its ops use is the barrier between runs.
Schedule lower(const Plan& plan, const LowerOptions& options = {});

/// Rewrites what `available` lacks: a get becomes a put that the owner is asked for, strided boxes are packed, touches
/// of a peer's memory become transfers, and without a barrier between runs each rank tells those whose memory meets its
/// own when a run begins and ends. Leaves everything else as it is, and requires only what the result uses; the barrier if
/// the given one does, or if ops were rewritten. The only place where backends differ. Throws Error(kInvalidArgument) if a
/// word has two writing lanes, or a wait is for more increments than there are.
Schedule legalize(const Schedule& schedule, const Capabilities& available);

}  // namespace meshmul
