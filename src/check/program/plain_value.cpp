#include "plain_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../modular.hpp"
#include "meshmul/element.hpp"

namespace meshmul::checking {

bool is_whole(const HostArray& array) {
  return with_element_type(array.dtype(), [&]<class T>() {
    return std::ranges::all_of(array.elements<T>(), [](T element) {
      const double value = to_double(element);
      return std::isfinite(value) && std::trunc(value) == value;
    });
  });
}

double largest_magnitude(const HostArray& array) {
  return with_element_type(array.dtype(), [&]<class T>() {
    double largest = 0;
    for (const T element : array.elements<T>()) {
      const double magnitude = std::fabs(to_double(element));
      largest = magnitude <= std::numeric_limits<double>::max() ? std::max(largest, magnitude)
                                                                : std::numeric_limits<double>::infinity();
      if (std::isinf(largest)) break;
    }
    return largest;
  });
}

double exact_up_to(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 0x1p53;
    case Dtype::kF32: return 0x1p24;
    case Dtype::kBf16: return 0x1p8;
    case Dtype::kF16: return 0x1p11;
    case Dtype::kF8e4m3: return 0x1p4;
    case Dtype::kI8: return 128;
    case Dtype::kI32: return 0x1p31;
  }
  __builtin_unreachable();
}

void take_range_of(Dtype dtype, HostArray& array) {
  with_element_type(dtype, [&]<class T>() {
    for (double& value : array.elements<double>()) {
      if constexpr (std::is_same_v<T, std::int8_t>) {
        value = static_cast<std::int8_t>(modulo_2_32(value));
      } else if constexpr (std::is_same_v<T, std::int32_t>) {
        value = wrapped(value);
      } else if constexpr (!std::is_same_v<T, double>) {
        if (const double held = to_double(convert<T>(value)); !std::isfinite(held)) value = held;
      }
    }
  });
}

}  // namespace meshmul::checking
