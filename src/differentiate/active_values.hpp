#pragma once
// Through which values gradients flow.

#include <vector>

#include "meshmul/program.hpp"

namespace meshmul {

/// By value: floating-point, made from one of the arrays that `grad` asks for (or one itself), and part of what makes the
/// array that it is about (or that itself).
std::vector<bool> active_values(const Program& program, const GradStatement& grad);

}  // namespace meshmul
