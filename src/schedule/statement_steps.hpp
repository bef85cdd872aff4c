#pragma once
// The steps of one statement of a plan, written one after the other; a product with the moves next to it as one.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "builder.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/program_plan.hpp"
#include "placed_array.hpp"

namespace meshmul {

/// `gelu(X * W)`: the function that is applied to what a step of a product makes.
struct AppliedFunction {
  MapFunction function = MapFunction::kConvert;
  std::size_t step = 0;
  Dtype sum_dtype = Dtype::kF32;  ///< what the product returns, to which complete sums are rounded before
};

/// A plan of one statement, and where its arrays lie.
struct StatementSteps {
  std::vector<ProgramStep> steps;    ///< at least one
  std::vector<PlacedArray> sources;  ///< one or two
  std::string result_name;           ///< of the memory that the last step writes
  Dtype result_dtype = Dtype::kF32;
  std::optional<AppliedFunction> function;
};

/// `name` of an array, or that of its operand: A, B or C.
std::string name_of(const ArrayType& type, Operand operand);

/// Writes the steps, each into memory of its own, and returns where the result lies: cut as the last step says, which is
/// as in the statement but for mesh axes of size 1. A slice is no copy, unless it is the last step.
PlacedArray write_steps(ScheduleBuilder& builder, StatementSteps statement, const LowerOptions& options);

}  // namespace meshmul
