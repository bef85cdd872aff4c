#pragma once
// Elementwise functions of zeros, of which the result is known without a look at any number.

#include <optional>

#include "meshmul/map_function.hpp"

namespace meshmul::verification {

enum class OfZeros {
  kZeros,   ///< zeros again
  kFirst,   ///< the first source
  kSecond,  ///< the second source
};

/// Nothing if no source is zeros, or if the result is something new: the gradient of gelu at zeros.
std::optional<OfZeros> of_zeros(MapFunction function, bool first_is_zeros, bool second_is_zeros);

}  // namespace meshmul::verification
