#pragma once
// The chosen way to do a statement: typed steps, each with its cost, and the losers with their reasons.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/cost_model.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

/// A change of sharding. AllGather and AllToAll remove, Slice and ReduceScatter add minor axes only.
enum class MoveKind {
  kSlice,          ///< a replicated dimension keeps its own block: free
  kAllGather,      ///< axes leave dimensions
  kReduceScatter,  ///< partial sums are added, each device keeps its block
  kAllReduce,      ///< partial sums are added everywhere
  kAllToAll,       ///< axes move from one dimension to another
  kPermute,        ///< the same boxes on other devices, one to one; else as kRedistribute
  kRedistribute,   ///< any two shardings: intersect boxes, point to point
  kUnreduce,       ///< a complete array becomes {U_X}: coordinate 0 keeps it, the others hold zeros; free
};
std::string_view name(MoveKind kind);

enum class Bound { kNone, kBandwidth, kLatency, kCompute, kMemory };
std::string_view name(Bound bound);

/// What one step costs on one device.
struct StepCost {
  double seconds = 0;
  double byte_seconds = 0;     ///< of a move: of its bytes
  double hop_seconds = 0;      ///< of a move: of its hops, 0 where they are free
  double compute_seconds = 0;  ///< of a product: of its arithmetic
  double memory_seconds = 0;   ///< of a product: of loading its inputs and storing its result
  double bytes = 0;            ///< bytes that each device sends over its links, in the wire dtype
  double link_bytes = 0;       ///< bytes over the busiest link in its busier direction, or out of the busiest port
  double hops = 0;
  double flops = 0;
  Bound bound = Bound::kNone;  ///< the larger of the two times
};

/// Which array of the statement a move acts on.
enum class Operand { kA, kB, kC };

/// `from` and `to` differ in sharding alone (and in dimension order, for the last move of a Reshard).
struct Move {
  MoveKind kind = MoveKind::kSlice;
  Operand operand = Operand::kA;
  ArrayType from, to;
  std::vector<int> axes;  ///< the mesh axes that take part, in mesh order
  StepCost cost;
};

/// The shards of `a` and `b` are multiplied where they lie. Its index -> axes assignment is the compute layout; an axis
/// that neither cuts nor is unreduced repeats the work.
struct LocalProduct {
  ArrayType a, b, c;
  StepCost cost;
};

using Step = std::variant<Move, LocalProduct>;

/// A legal way that was not taken.
struct RejectedPlan {
  std::vector<Step> steps;
  double seconds = 0;
  std::int64_t peak_bytes = 0;
  std::string reason;  ///< the term in which it lost, in words
};

/// What the product of a plan needs at hand while moves run beside it, against the memory on the chip (VMEM, L2).
struct OnChip {
  std::int64_t available_bytes = 0;
  /// Of A, B and C as the product has them; of an array that is gathered or exchanged just before, or scattered just
  /// after, the shard.
  double shard_bytes = 0;
  double slot_bytes = 0;  ///< two chunks for each collective next to the product: one at work, one on its way

  double bytes() const { return shard_bytes + slot_bytes; }
  bool fits() const { return bytes() <= static_cast<double>(available_bytes); }
};

/// Steps on A come first, then those on B, then the local product, then those on C. In a Reshard or Collective all
/// moves have operand kA and there is no product; there is always at least one step: where nothing has to move, a
/// kSlice without axes copies the array. Types in steps leave out mesh axes of size 1, which cut nothing. Sums still to
/// be completed after the product have the wire dtype, up to the `to` of the move that completes them.
struct Plan {
  Mesh mesh;
  Statement statement;  ///< every size and sharding known
  std::string hardware;
  CostSettings cost;                ///< by which it was chosen
  std::vector<std::int64_t> slice;  ///< that it was planned on; empty: none in particular
  Mapping mapping;                  ///< of the mesh onto it; empty then
  std::vector<Step> steps;
  double seconds_sequential = 0;       ///< sum over all steps
  double seconds_overlapped = 0;       ///< max(communication, computation): the bound that overlap could reach
  double move_seconds = 0;             ///< communication
  double product_seconds = 0;          ///< computation
  double flops = 0;                    ///< per device
  std::int64_t peak_bytes = 0;         ///< per device: inputs, every array that a step makes, scratch of the moves
  std::optional<OnChip> on_chip;       ///< nothing if there is no product, or the chip is not known so well
  std::vector<std::string> cases;      ///< one sentence per mesh axis: which of the four cases it is
  std::vector<RejectedPlan> rejected;  ///< best first
};

struct PlanOptions {
  CostSettings cost;                         ///< what counts; default: `exact`
  std::optional<Mapping> mapping;            ///< how the mesh lies on the hardware; default: as is the fastest
  std::optional<Dtype> wire_dtype;           ///< dtype in which partial sums travel; default: that of the output
  std::optional<std::int64_t> memory_bytes;  ///< hard limit per device; default: the memory of the hardware, if given
  bool overlapped = false;                   ///< the time that counts is seconds_overlapped, not seconds_sequential
  int max_rejected = 15;                     ///< how many losers to keep
};

/// The cheapest legal way, over all ways to lay the mesh on the hardware. Every size must be known; `?` on the output is
/// resolved here. Of several that cost the same: fewer bytes sent, then less memory, then text order.
/// Throws Error(kInvalidArgument) if a size is missing, the mesh or the mapping does not fit the hardware, the network
/// cannot do what the settings ask of it, or no plan fits the memory (says the least that would).
Plan plan(const Statement& statement, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options = {});

/// The text form: one line a step, `parse_plan` is not needed since a statement and a mesh determine it.
std::string to_string(const Plan& plan);

/// The same facts as a document in Markdown, with tables.
std::string plan_markdown(const Plan& plan);

/// The same facts as JSON, steps and losers with all their numbers; seconds, bytes and FLOPs without prefixes.
std::string plan_json(const Plan& plan);

}  // namespace meshmul
