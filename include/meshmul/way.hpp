#pragma once
// A way: steps that somebody wrote down, priced as they stand. The planner is not asked.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

/// A collective, a change of sharding that one move makes, or a product of shards where they lie. A step that names an
/// array of an earlier one takes it as that left it; every other array that a step reads is an input. An index has one
/// size in all steps.
struct Way {
  std::vector<Statement> steps;
  bool operator==(const Way&) const = default;
};

/// Reads steps between semicolons, each a statement; `slice` may stand before a change of sharding that has to be one:
///
///     AllGather_X(bf16 Y[D=8192_X, F=32768]); X[B=128, D] * Y[D, F] -> Z[B, F]
///     slice bf16 X[B=128, D=8192] -> X[B, D_X]; X[B, D_X] * Y[D_X, F=32768] -> Z[B, F]{U_X}; AllReduce_X(Z[B, F]{U_X})
///
/// A missing dtype is that of the first array of all, else `default_dtype`. Throws Error(kInvalidArgument) with the
/// place of what is wrong: what parse_statement refuses; an array that is not as the step before left it, or made twice;
/// `?`; a product whose shards cannot be multiplied where they lie, or that gives another type than is written; a
/// dimension without an index, where there are several steps.
Way parse_way(std::string_view text, const Mesh& mesh, Dtype default_dtype = Dtype::kF32);

/// The text that `parse_way` reads back.
std::string to_string(const Way& way, const Mesh& mesh);

/// The arrays that the steps read and none of them made, in order of use, as they are at first.
std::vector<const ArrayType*> inputs(const Way& way);

/// Sets the size of `index` in all steps. Throws Error(kInvalidArgument) if no step has it, or another size is known.
void set_size(Way& way, std::string_view index, std::int64_t size);

/// The steps of a plan as a way.
Way way_of(const std::vector<Step>& steps, const Mesh& mesh);

/// A statement that is a way as it stands: a collective, a change of sharding that one move makes, a product of shards
/// that meet and give what is written. Nothing for others, which take a plan.
std::optional<Way> to_way(const Statement& statement, const Mesh& mesh);

/// What a way does, in one statement that a plan can be asked for: moves of one array are a change of sharding; one
/// product with moves of its inputs and its output is a product. Nothing for other ways.
std::optional<Statement> to_statement(const Way& way);

/// What the steps cost one after the other. Every move has operand kA.
struct PricedWay {
  std::vector<Step> steps;
  double seconds_sequential = 0;  ///< sum over all steps
  double seconds_overlapped = 0;  ///< max(all moves, all products): the bound that overlap could reach
  double move_seconds = 0;
  double product_seconds = 0;
  std::int64_t peak_bytes = 0;  ///< per device: inputs, every array that a step makes, scratch of the moves
  std::optional<OnChip>
      on_chip;  ///< of the product that needs most; nothing without one, or for a chip not known so well
  std::vector<std::int64_t> slice;  ///< on which it was priced; empty: none in particular
  Mapping mapping;                  ///< of the mesh onto it; empty then
};

/// Priced by `options.cost`, on `options.mapping` or the mapping that makes the way the fastest, by the time that
/// `options.overlapped` names. Throws Error(kInvalidArgument) if a size is missing, or the mesh or the mapping does not fit
/// the hardware.
PricedWay price_way(const Way& way, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options = {});

}  // namespace meshmul
