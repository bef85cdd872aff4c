#include "noise.hpp"

#include <cmath>

#include "../error_model.hpp"

namespace meshmul::checking {

double NoiseSource::next() {
  // splitmix64 (Steele, Lea, Flood 2014).
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t word = state_;
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
  word ^= word >> 31U;
  return static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-63;
}

void add_sum_noise(const Product& product, const CheckOptions& options, NoiseSource& source, PlainProduct& made) {
  const Dtype accumulator = accumulator_of(product.a.dtype);
  const Dtype wire = options.wire_dtype.value_or(product.c.dtype);
  const double partial = options.partial_sums > 1 ? std::sqrt(static_cast<double>(options.partial_sums)) : 0;
  const double sums = (std::sqrt(static_cast<double>(made.contraction)) + partial) * unit_roundoff(accumulator) +
                      partial * unit_roundoff(wire);
  const double output = unit_roundoff(product.c.dtype);
  const double underflow = underflow_error(product.c.dtype) + partial * underflow_error(wire);
  double* const c = made.c.elements<double>().data();
  for_each_place(product, made.c, [&](std::int64_t offset, std::size_t batch, std::size_t row, std::size_t column) {
    const double size = std::fabs(c[offset]);
    const double root_squares = made.rows.fourths[batch][row] * made.columns.fourths[batch][column];
    c[offset] += source.next() * (sums * (size + root_squares) + output * size + underflow);
  });
}

void add_rounding_noise(Dtype dtype, double roundings, NoiseSource& source, HostArray& array) {
  const double relative = roundings * unit_roundoff(dtype);
  const double underflow = roundings * underflow_error(dtype);
  for (double& value : array.elements<double>()) value += source.next() * (relative * std::fabs(value) + underflow);
}

}  // namespace meshmul::checking
