#pragma once
// The type of a sharded array: element type, named dimensions with global sizes, sharding.

#include <cstdint>
#include <string>
#include <vector>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/sharding.hpp"

namespace meshmul {

/// A size that no text and no file has fixed yet.
inline constexpr std::int64_t kUnknownSize = -1;

struct Dim {
  std::string index;                 ///< `I`; empty for an anonymous dimension such as `1024_X`
  std::int64_t size = kUnknownSize;  ///< global elements

  bool operator==(const Dim&) const = default;
};

struct ArrayType {
  std::string name;  ///< may be empty: `fp32[1024_XY, 4096]`
  Dtype dtype = Dtype::kF32;
  std::vector<Dim> dims;
  Sharding sharding;
  bool open = false;  ///< `?`: the planner chooses the sharding

  int num_dims() const { return static_cast<int>(dims.size()); }
  bool operator==(const ArrayType&) const = default;
};

/// Global elements per dimension. Every size must be known.
Shape global_shape(const ArrayType& type);

/// `bf16 A[I=1024_X, J=4096_Y]{U_Z}`; parsing it gives the type back. Sizes that are unknown are left out.
std::string to_string(const ArrayType& type, const Mesh& mesh);

}  // namespace meshmul
