#pragma once
// The steps of a statement that are written together: its product, and of the moves next to it those that are overlapped.

#include <cstddef>
#include <optional>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/program_plan.hpp"

namespace meshmul {

struct ProductSteps {
  std::optional<std::size_t> a, b;     ///< the last move of an operand, if it moves elements and adds none
  std::optional<std::size_t> product;  ///< nothing if there is none
  std::optional<std::size_t> reduce;   ///< the ReduceScatter or AllReduce right after it
};

/// Those that can be overlapped; none of a function of several arrays.
ProductSteps product_steps(const std::vector<ProgramStep>& steps);

/// Those that `options` overlap; none at all if these are sequential on both sides.
ProductSteps overlapped_steps(const std::vector<ProgramStep>& steps, const OverlapOptions& options);

/// The steps of a plan of a statement.
std::vector<ProgramStep> program_steps(const std::vector<Step>& steps);

}  // namespace meshmul
