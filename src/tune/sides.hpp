#pragma once
// What moves beside the products of a plan, and what else moves.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/program_plan.hpp"

namespace meshmul {

/// The steps of one statement, or of each of a program.
using StatementsSteps = std::vector<std::vector<ProgramStep>>;

StatementsSteps steps_of(const Plan& plan);
StatementsSteps steps_of(const ProgramPlan& plan);

struct Sides {
  bool gather = false;             ///< operands that are gathered or exchanged right before a product
  bool reduce = false;             ///< sums that are reduced right after one
  std::int64_t gathered_rows = 0;  ///< of the longest shard of such an operand, along the dimension that moves
  std::int64_t summed_rows = 0;    ///< of the longest block of such sums, along its first dimension
};

/// The sides that could be overlapped.
Sides sides_of(const StatementsSteps& statements, const Mesh& mesh);
/// Those that `options` overlap.
Sides overlapped_sides(const StatementsSteps& statements, const OverlapOptions& options, const Mesh& mesh);

/// The moves that `options` leave to collectives; slices and zeros of other coordinates are none.
std::vector<Move> moves_left(const StatementsSteps& statements, const OverlapOptions& options);

}  // namespace meshmul
