#pragma once
// Pieces of the text form, and how messages call arrays and dimensions.

#include <string>
#include <string_view>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul::notation {

/// `XY` if every axis is one letter, else `{data,model}`.
std::string axes_text(const std::vector<int>& axes, const Mesh& mesh);

/// The array without dtype and sizes: `A[I_X, J]{U_Y}`.
std::string short_text(const ArrayType& type, const Mesh& mesh);

/// `A`, or `the array` if it has no name.
std::string label(const ArrayType& type);

/// `dimension I`, or `the 2nd dimension` if it has no index.
std::string dim_label(const ArrayType& type, int dim);

/// `already cuts dimension I of A` or `is already in {U_…} of A`; empty if `type` does not use `axis`.
std::string use_of_axis(const ArrayType& type, int axis);

/// `the mesh has axes X, Y`
std::string axes_of(const Mesh& mesh);

}  // namespace meshmul::notation
