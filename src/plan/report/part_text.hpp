#pragma once
// The parts of a program's plan in words.

#include <string>
#include <vector>

#include "meshmul/program_plan.hpp"
#include "plan/report/table.hpp"

namespace meshmul {

/// `H = gelu(X * W1[l]), 4 times`, `X enters repeat L`, `X to the next pass, 3 times`.
std::string part_title(const PlannedPart& part, const Program& program);

/// A row for each step, as step_row writes it. A step that also applies the function of its product says so.
std::vector<Row> part_rows(const PlannedPart& part, const Program& program, const Mesh& mesh);

}  // namespace meshmul
