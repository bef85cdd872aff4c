#pragma once
// The elementwise functions on whole arrays in f64, from their definitions.

#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/map_function.hpp"

namespace meshmul::checking {

/// An array, and the indices of its dimensions.
struct MapSource {
  const HostArray* array = nullptr;
  const ArrayType* type = nullptr;
};

/// f64, in the order of dimensions of `result`. A source counts for all elements along the indices that it lacks. Integers
/// are computed modulo 2^32; what is to become an integer is cut to one.
HostArray apply(MapFunction function, const std::vector<MapSource>& sources, const ArrayType& result);

/// `function` of one array on each element of f64 `array`, whose dtype in the program is `dtype`.
void apply_in_place(MapFunction function, Dtype dtype, HostArray& array);

}  // namespace meshmul::checking
