#pragma once
// Brings part of a strided row of any dtype to where arithmetic is done, contiguous and in the accumulator dtype, and
// back.

#include <array>
#include <cstddef>
#include <cstdint>

#include "meshmul/view.hpp"

namespace meshmul {

/// Elements that are staged at a time: small enough for the first-level cache.
inline constexpr std::int64_t kStageElements = 512;

/// Elements `stride` apart, beginning at `data`.
template <class Byte>
struct BasicRow {
  Byte* data = nullptr;
  Dtype dtype = Dtype::kF32;
  std::int64_t stride = 1;

  BasicRow from(std::int64_t index) const { return {data + index * stride * size_bytes(dtype), dtype, stride}; }
};
using Row = BasicRow<std::byte>;
using ConstRow = BasicRow<const std::byte>;

/// Memory for one operand.
struct Stage {
  alignas(64) std::array<std::byte, kStageElements * 8> gathered;
  alignas(64) std::array<std::byte, kStageElements * 8> converted;
};

/// The first n <= kStageElements elements of `row` as contiguous values of `dtype`: in place where they are that
/// already, else in `stage`.
const std::byte* load(ConstRow row, std::int64_t n, Dtype dtype, Stage& stage);

/// Writes n <= kStageElements contiguous values of `dtype` to `row`.
void store(Row row, std::int64_t n, const std::byte* values, Dtype dtype, Stage& stage);

}  // namespace meshmul
