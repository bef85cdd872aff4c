#include "plain_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "../matrices.hpp"
#include "../modular.hpp"

namespace meshmul::checking {
namespace {

double gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

double gelu_derivative(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2 + x * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}

double gelu_tanh_derivative(double x) {
  const double c = std::sqrt(2 / std::numbers::pi);
  const double t = std::tanh(c * (x + 0.044715 * x * x * x));
  return (1 + t) / 2 + x / 2 * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
}

double silu_derivative(double x) {
  const double s = 1 / (1 + std::exp(-x));
  return s * (1 + x * (1 - s));
}

double value_of(MapFunction function, double x, double y, bool is_integer) {
  switch (function) {
    case MapFunction::kZero: return 0;
    case MapFunction::kOne: return 1;
    case MapFunction::kGeluGrad: return gelu_derivative(x) * y;
    case MapFunction::kGeluTanhGrad: return gelu_tanh_derivative(x) * y;
    case MapFunction::kSiluGrad: return silu_derivative(x) * y;
    case MapFunction::kReluGrad: return x > 0 ? y : 0;
    case MapFunction::kGelu: return x / 2 * std::erfc(-x / std::numbers::sqrt2);  // 1 + erf without its cancellation
    case MapFunction::kGeluTanh: return gelu_tanh(x);
    case MapFunction::kSilu: return x / (1 + std::exp(-x));
    case MapFunction::kRelu: return x < 0 ? 0 : x;
    case MapFunction::kConvert: return x;
    case MapFunction::kAdd:
    case MapFunction::kBias: return x + y;
    case MapFunction::kMul:
    case MapFunction::kScale: return is_integer ? wrapped(modulo_2_32(x) * modulo_2_32(y)) : x * y;
  }
  __builtin_unreachable();
}

constexpr std::int64_t kOnlyRow = 0;
/// Elements that are read at a time.
constexpr std::int64_t kBlock = 4096;

/// A source as a matrix of one row, with its elements in the order of `result`.
Matrices in_order_of(const ArrayType& result, const MapSource& source) {
  const Axis own = dims_of(*source.type);
  Axis axis;
  for (const Dim& dim : result.dims) {
    const auto same = std::ranges::find(source.type->dims, dim.index, &Dim::index);
    axis.extents.push_back(dim.size);
    axis.strides.push_back(
        same == source.type->dims.end() ? 0 : own.strides[static_cast<std::size_t>(same - source.type->dims.begin())]);
  }
  return {{source.array}, {}, {}, axis};
}

bool is_integer(Dtype dtype) { return accumulator_of(dtype) == Dtype::kI32; }

}  // namespace

HostArray apply(MapFunction function, const std::vector<MapSource>& sources, const ArrayType& result) {
  HostArray made(Dtype::kF64, global_shape(result));
  std::vector<Matrices> rows;
  for (const MapSource& source : sources) rows.push_back(in_order_of(result, source));
  std::vector<double> x(kBlock), y(kBlock);
  double* const out = made.elements<double>().data();
  for (std::int64_t begin = 0; begin < made.num_elements(); begin += kBlock) {
    const Interval block{begin, std::min(begin + kBlock, made.num_elements())};
    if (!rows.empty()) rows[0].read(0, {&kOnlyRow, 1}, block, Reading::kValue, x.data());
    if (rows.size() > 1) rows[1].read(0, {&kOnlyRow, 1}, block, Reading::kValue, y.data());
    for (std::int64_t i = 0; i < block.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double value = value_of(function, x[at], y[at], is_integer(result.dtype));
      out[begin + i] = is_integer(result.dtype) ? std::trunc(value) : value;
    }
  }
  return made;
}

void apply_in_place(MapFunction function, Dtype dtype, HostArray& array) {
  for (double& element : array.elements<double>()) {
    const double value = value_of(function, element, 0, is_integer(dtype));
    element = is_integer(dtype) ? std::trunc(value) : value;
  }
}

}  // namespace meshmul::checking
