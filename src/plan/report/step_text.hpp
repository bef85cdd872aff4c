#pragma once
// One step in words and in the notation.

#include <string>
#include <vector>

#include "meshmul/plan.hpp"
#include "plan/report/table.hpp"

namespace meshmul {

/// `AllGather_X of B`, `local product`, `copy of A`.
std::string step_label(const Step& step, const Mesh& mesh);

/// `AllGather_X of B, local product`.
std::string step_labels(const std::vector<Step>& steps, const Mesh& mesh);

/// The arrays before and after: `A[I, J] * B[J, K] -> C[I, K]`, `C[I, K]{U_X} -> C[I_X, K]`.
std::string type_change(const Step& step, const Mesh& mesh);

/// As the steps of a way are written, without sizes and dtypes: `AllGather_X(A[I_X, J])`, `slice B[J, K] -> B[J_X, K]`,
/// `A[I, J] * B[J, K] -> C[I, K]`; `A[I_XY] -> A[I_YX]` where no collective has a name for it.
std::string in_notation(const Step& step, const Mesh& mesh);

/// A row of a table: label, types, bytes or FLOPs, hops, what bounds it, seconds, and what these are made of.
Row step_row(const Step& step, const Mesh& mesh);

}  // namespace meshmul
