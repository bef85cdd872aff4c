#pragma once
// From a plan to a schedule, and from a schedule to one that a backend can run.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  int chunks_per_shard =
      1;  ///< pieces of a shard, each with a gemm of its own; kPull of operands, kInPlace and kPush of sums
  std::optional<std::int64_t>
      rows_per_round;  ///< kPush of operands: along the dimension that moves; default: a quarter shard
  int slots = 2;       ///< kPush of operands: rounds that have memory at a time, at least 2
  std::optional<std::int64_t> copy_bytes;  ///< kPull: most bytes of one get; default: a chunk
  int copy_lanes = 1;                      ///< kPull: lanes that take the gets in turn

  bool operator==(const OverlapOptions&) const = default;

  bool any() const { return gather != Design::kSequential || reduce != Design::kSequential; }
};

/// The steps of a plan that are written together: its product, and of the moves next to it those that can be overlapped.
struct ProductSteps {
  std::optional<std::size_t> a, b;     ///< the last move of an operand, if it moves elements and adds none
  std::optional<std::size_t> product;  ///< nothing if the plan has none
  std::optional<std::size_t> reduce;   ///< the ReduceScatter or AllReduce right after it
};
ProductSteps product_steps(const std::vector<Step>& steps);

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
/// of a peer's memory become transfers, and without a barrier between runs each rank tells those whose memory meets its own
/// when a run begins and ends. Leaves everything else as it is, and requires only what the result uses; the barrier if the
/// given one does, or if ops were rewritten. The only place where backends differ. Throws Error(kInvalidArgument) if a word has two writing lanes, or a wait is for more
/// increments than there are.
Schedule legalize(const Schedule& schedule, const Capabilities& available);

}  // namespace meshmul
