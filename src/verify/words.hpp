#pragma once
// Small phrases that several findings share.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "meshmul/box.hpp"

namespace meshmul::verification {

/// `1 element`, `3 elements`
inline std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// `[2, 3]`
inline std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace meshmul::verification
