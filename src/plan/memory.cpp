#include "plan/memory.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

double num_elements(std::span<const double> shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
}

/// Elements of the largest of `num_parts` parts of `shape`: cut is the first dimension that is long enough for all of
/// them, else the longest.
double elements_of_part(std::span<const double> shape, double num_parts) {
  if (shape.empty()) return 1;
  auto cut = std::find_if(shape.begin(), shape.end(), [&](double extent) { return extent >= num_parts; });
  if (cut == shape.end()) cut = std::max_element(shape.begin(), shape.end());
  return *cut == 0 ? 0 : num_elements(shape) / *cut * std::ceil(*cut / num_parts);
}

std::vector<double> largest_shard(const ArrayType& type, const Mesh& mesh) {
  const Shape shape = max_local_shape(type, mesh);
  return {shape.begin(), shape.end()};
}

double bytes(const ArrayType& type, const Mesh& mesh) {
  return num_elements(largest_shard(type, mesh)) * static_cast<double>(size_bytes(type.dtype));
}

double bytes_made(const Step& step, bool is_last, const Mesh& mesh) {
  if (const auto* product = std::get_if<LocalProduct>(&step)) return bytes(product->c, mesh);
  const Move& move = std::get<Move>(step);
  if (move.kind == MoveKind::kSlice && !is_last) return 0;
  return bytes(move.to, mesh) + scratch_bytes(move.kind, static_cast<double>(mesh.size(move.axes)), move.from.dtype,
                                              move.to.dtype, largest_shard(move.to, mesh));
}

}  // namespace

double scratch_bytes(MoveKind kind, double num_terms, Dtype from, Dtype to, std::span<const double> to_shape) {
  if (kind != MoveKind::kReduceScatter && kind != MoveKind::kAllReduce) return 0;
  const Dtype accumulator = accumulator_of(to);
  if (to == accumulator || (num_terms <= 2 && from == to)) return 0;
  const double elements =
      kind == MoveKind::kReduceScatter ? num_elements(to_shape) : elements_of_part(to_shape, num_terms);
  return elements * static_cast<double>(size_bytes(accumulator));
}

std::int64_t whole_bytes(double bytes) {
  constexpr double kTooLarge = 0x1p63;
  return bytes < kTooLarge ? static_cast<std::int64_t>(bytes) : std::numeric_limits<std::int64_t>::max();
}

std::int64_t peak_bytes(const std::vector<const ArrayType*>& inputs, const std::vector<Step>& steps, const Mesh& mesh) {
  double total = 0;
  for (const ArrayType* input : inputs) total += bytes(*input, mesh);
  for (std::size_t i = 0; i < steps.size(); ++i) total += bytes_made(steps[i], i + 1 == steps.size(), mesh);
  return whole_bytes(total);
}

}  // namespace meshmul
