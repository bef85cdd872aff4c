#include "base/array_bytes.hpp"

#include <algorithm>

namespace meshmul {

std::optional<std::int64_t> count_bytes(const Shape& shape, std::int64_t element_bytes) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;
  std::int64_t bytes = element_bytes;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) {
      empty = true;
      continue;
    }
    if (bytes > kMostBytes / extent) return std::nullopt;
    bytes *= extent;
  }
  return empty ? 0 : bytes;
}

std::string more_bytes_than_count(const Shape& shape) {
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return empty ? "more than 2^62 bytes even without its empty dimensions" : "more than 2^62 bytes";
}

}  // namespace meshmul
