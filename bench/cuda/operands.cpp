#include "operands.hpp"

#include <algorithm>
#include <cstdint>

#include "device_data.hpp"

Operands make_operands(const Shape& shape, meshmul::Dtype dtype, cudaStream_t stream) {
  constexpr std::int64_t kBytesInAll = 400'000'000;
  const std::int64_t a_count = shape.m * shape.k, b_count = shape.n * shape.k;
  const std::int64_t bytes = meshmul::size_bytes(dtype);
  const std::int64_t pairs = std::clamp<std::int64_t>(kBytesInAll / (bytes * (a_count + b_count)), 2, 16);
  Operands operands;
  for (std::int64_t i = 0; i < pairs; ++i) {
    operands.a.emplace_back(static_cast<std::size_t>(bytes * a_count));
    operands.b.emplace_back(static_cast<std::size_t>(bytes * b_count));
    constexpr std::uint64_t kSeedStep = 1'000'003;
    fill_normal(operands.a.back().data(), dtype, a_count, static_cast<std::uint64_t>(2 * i) * kSeedStep, stream);
    fill_normal(operands.b.back().data(), dtype, b_count, static_cast<std::uint64_t>(2 * i + 1) * kSeedStep, stream);
  }
  return operands;
}
