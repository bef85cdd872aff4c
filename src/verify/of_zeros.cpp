#include "of_zeros.hpp"

namespace meshmul::verification {

std::optional<OfZeros> of_zeros(MapFunction function, bool first_is_zeros, bool second_is_zeros) {
  if (!first_is_zeros && !second_is_zeros) return std::nullopt;
  switch (function) {
    case MapFunction::kZero:
    case MapFunction::kGelu:
    case MapFunction::kGeluTanh:
    case MapFunction::kSilu:
    case MapFunction::kRelu:
    case MapFunction::kConvert:
    case MapFunction::kMul:
    case MapFunction::kScale: return OfZeros::kZeros;
    case MapFunction::kAdd: return second_is_zeros ? OfZeros::kFirst : OfZeros::kSecond;
    case MapFunction::kBias: return second_is_zeros ? std::optional(OfZeros::kFirst) : std::nullopt;
    case MapFunction::kGeluGrad:
    case MapFunction::kGeluTanhGrad:
    case MapFunction::kSiluGrad:
    case MapFunction::kReluGrad: return second_is_zeros ? std::optional(OfZeros::kZeros) : std::nullopt;
    case MapFunction::kOne: break;
  }
  return std::nullopt;
}

}  // namespace meshmul::verification
