#pragma once
// Refuses operands that do not fit each other, with a sentence that names both.

#include <span>
#include <string_view>

#include "base/einsum.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// All throw Error(kInvalidArgument). `what` names the operation.
void require_same_shape(std::string_view what, const ConstView& dst, const ConstView& src);
/// Also one dtype.
void require_same(std::string_view what, const ConstView& dst, const ConstView& src);
void require_map(const ConstView& dst, MapFunction function, std::span<const ConstView> srcs);
/// An extent for each letter, one dtype of a and b, which sums into that of c.
void require_gemm(const ConstView& c, const ConstView& a, const ConstView& b, const Einsum& einsum);

}  // namespace meshmul
