#include "meshmul/dtype.hpp"

#include <array>
#include <utility>

namespace meshmul {
namespace {

constexpr std::array<std::pair<std::string_view, Dtype>, 29> kNames{{
    {"f64", Dtype::kF64},          {"f32", Dtype::kF32},           {"bf16", Dtype::kBf16},
    {"f16", Dtype::kF16},          {"f8e4m3", Dtype::kF8e4m3},     {"i8", Dtype::kI8},
    {"i32", Dtype::kI32},          {"fp64", Dtype::kF64},          {"float64", Dtype::kF64},
    {"double", Dtype::kF64},       {"fp32", Dtype::kF32},          {"float32", Dtype::kF32},
    {"float", Dtype::kF32},        {"bfloat16", Dtype::kBf16},     {"fp16", Dtype::kF16},
    {"float16", Dtype::kF16},      {"half", Dtype::kF16},          {"f8", Dtype::kF8e4m3},
    {"fp8", Dtype::kF8e4m3},       {"f8e4m3fn", Dtype::kF8e4m3},   {"fp8e4m3", Dtype::kF8e4m3},
    {"fp8e4m3fn", Dtype::kF8e4m3}, {"float8e4m3", Dtype::kF8e4m3}, {"float8e4m3fn", Dtype::kF8e4m3},
    {"e4m3", Dtype::kF8e4m3},      {"int8", Dtype::kI8},           {"s8", Dtype::kI8},
    {"int32", Dtype::kI32},        {"s32", Dtype::kI32},
}};

}  // namespace

std::int64_t size_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 8;
    case Dtype::kF32:
    case Dtype::kI32: return 4;
    case Dtype::kBf16:
    case Dtype::kF16: return 2;
    case Dtype::kF8e4m3:
    case Dtype::kI8: return 1;
  }
  return 0;
}

std::string_view name(Dtype dtype) { return kNames[static_cast<std::size_t>(dtype)].first; }

std::optional<Dtype> parse_dtype(std::string_view text) {
  for (const auto& [name, dtype] : kNames)
    if (name == text) return dtype;
  return std::nullopt;
}

Dtype accumulator_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return Dtype::kF64;
    case Dtype::kI8:
    case Dtype::kI32: return Dtype::kI32;
    case Dtype::kF32:
    case Dtype::kBf16:
    case Dtype::kF16:
    case Dtype::kF8e4m3: return Dtype::kF32;
  }
  return dtype;
}

Dtype product_dtype(Dtype dtype) {
  if (dtype == Dtype::kI8) return Dtype::kI32;
  if (dtype == Dtype::kF8e4m3) return Dtype::kBf16;
  return dtype;
}

}  // namespace meshmul
