#pragma once
// Which elementwise functions may be applied before sums are complete.

#include "meshmul/map_function.hpp"

namespace meshmul {

/// Functions of partial sums whose results add up to the function of the sums.
inline bool is_linear(MapFunction function) {
  return function == MapFunction::kAdd || function == MapFunction::kBias || function == MapFunction::kConvert ||
         function == MapFunction::kZero;
}

}  // namespace meshmul
