#pragma once
// What a collective returns, and whether it fits its array: the one place that says so, for the notation and the
// planner.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::notation {

/// The type that a collective over `axes` makes of `from`.
///
///     AllGather_X(A[I_X, J])           A[I, J]       axes leave their dimensions
///     ReduceScatter_X,J(A[I, J]{U_X})  A[I, J_X]     axes leave {U_…} and become the minor axes of `dim`, in their order
///     AllReduce_X(A[I, J]{U_X})        A[I, J]       axes leave {U_…}
///     AllToAll_X,J(A[I_X, J])          A[I, J_X]     axes leave their dimensions and become the minor axes of `dim`
///
/// `dim` is set for ReduceScatter and AllToAll. The collective fits: `collective_fault` finds nothing.
ArrayType collective_result(CollectiveKind kind, const std::vector<int>& axes, std::optional<int> dim,
                            const ArrayType& from);

/// Why a collective does not fit its array.
struct CollectiveFault {
  std::string sentence;
  std::size_t axis = 0;  ///< position in `axes` of the one at fault
};

/// Nothing if it fits; its `to` is not looked at. AllGather and AllToAll remove axes that are the minor ones of their
/// dimensions; AllToAll brings axes from other dimensions than `dim`; ReduceScatter and AllReduce add along axes of
/// {U_…}; no axis comes twice.
std::optional<CollectiveFault> collective_fault(const Collective& collective, const Mesh& mesh);

/// The collective that leads from one sharding of an array to another; nothing if none does. The inverse of
/// `collective_result`, but for the order of axes where that means nothing.
std::optional<Collective> find_collective(const ArrayType& from, const ArrayType& to, const Mesh& mesh);

}  // namespace meshmul::notation
