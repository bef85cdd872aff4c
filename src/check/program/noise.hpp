#pragma once
// Random errors as large as those that roundings may make, step by step. docs/check.md, Programs.

#include <cstdint>

#include "meshmul/check.hpp"
#include "plain_product.hpp"

namespace meshmul::checking {

/// Numbers between -1 and 1, one after the other.
class NoiseSource {
 public:
  explicit NoiseSource(std::uint64_t seed) : state_(seed) {}
  double next();

 private:
  std::uint64_t state_;
};

/// Adds to each sum of `made` up to
///   (sqrt(k) + sqrt(p)) u(accumulator) (|c| + Q) + sqrt(p) u(wire) (|c| + Q) + u(output) |c|
/// where Q is no less than the root of the sum of (ab)^2, and p the number of partial sums, 0 if there is one; and what
/// underflow takes.
void add_sum_noise(const Product& product, const CheckOptions& options, NoiseSource& source, PlainProduct& made);

/// Adds up to `roundings` times u(dtype) of each element of f64 `array`, and what underflow takes.
void add_rounding_noise(Dtype dtype, double roundings, NoiseSource& source, HostArray& array);

}  // namespace meshmul::checking
