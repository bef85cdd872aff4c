#pragma once
// The dimension of an array that has an index.

#include <string_view>

#include "meshmul/array_type.hpp"

namespace meshmul {

inline constexpr int kNoDim = -1;

/// The dimension of `type` with that index, or kNoDim.
inline int dim_of(const ArrayType& type, std::string_view index) {
  for (int d = 0; d < type.num_dims(); ++d)
    if (type.dims[static_cast<std::size_t>(d)].index == index) return d;
  return kNoDim;
}

inline bool has_index(const ArrayType& type, std::string_view index) { return dim_of(type, index) != kNoDim; }

}  // namespace meshmul
