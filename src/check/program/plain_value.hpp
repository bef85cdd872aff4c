#pragma once
// A value of a program as it is recomputed.

#include <memory>

#include "meshmul/host_array.hpp"

namespace meshmul::checking {

struct PlainValue {
  std::shared_ptr<const HostArray> array;  ///< given arrays in their dtype, all others in f64
  /// Whole numbers that the program, too, holds without any rounding on the way.
  bool is_exact = false;
};

/// True if all elements are whole numbers.
bool is_whole(const HostArray& array);

/// The largest absolute value; infinite if an element is not finite.
double largest_magnitude(const HostArray& array);

/// `dtype` holds all whole numbers from -n to n; integers all but n itself.
double exact_up_to(Dtype dtype);

/// The elements of f64 `array` as `dtype` would hold them, but for roundings: what is too large overflows, integers wrap.
void take_range_of(Dtype dtype, HostArray& array);

}  // namespace meshmul::checking
