// Questions that a profile answers: the rate of a dtype, and whether a mesh fits.
#include "meshmul/hardware.hpp"

#include <fmt/format.h>

#include "hardware/slice_text.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

std::optional<Dtype> next_wider(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF8e4m3: return Dtype::kBf16;
    case Dtype::kBf16:
    case Dtype::kF16:
    case Dtype::kI32: return Dtype::kF32;
    case Dtype::kF32: return Dtype::kF64;
    case Dtype::kI8: return Dtype::kI32;
    case Dtype::kF64: return std::nullopt;
  }
  __builtin_unreachable();
}

}  // namespace

std::string_view name(NetworkKind kind) { return kind == NetworkKind::kTorus ? "torus" : "switch"; }

std::string_view name(WrapRule::Kind kind) {
  switch (kind) {
    case WrapRule::Kind::kAll: return "all";
    case WrapRule::Kind::kNone: return "none";
    case WrapRule::Kind::kLength: return "length";
    case WrapRule::Kind::kWholeCubes: return "whole_cubes";
  }
  __builtin_unreachable();
}

double flops_per_second(const Hardware& hardware, Dtype dtype) {
  for (std::optional<Dtype> wider = dtype; wider; wider = next_wider(*wider))
    if (const auto rate = hardware.chip.flops_per_second.find(*wider); rate != hardware.chip.flops_per_second.end())
      return rate->second;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("hardware {} gives no rate for products of {}", hardware.name, name(dtype)));
}

void check_fits(const Mesh& mesh, const Hardware& hardware) {
  const Network& network = hardware.network;
  if (!(network.link_bytes_per_second > 0 && network.hop_seconds > 0 && hardware.chip.memory_bytes_per_second > 0))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("hardware {} has no positive rates of links, hops and memory", hardware.name));
  const std::int64_t devices = mesh.num_devices();
  const auto fail = [&](const std::string& expected) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the mesh {} has {}; expected {}", mesh.str(), devices_text(devices), expected));
  };
  if (!hardware.slice.empty() && !exists(hardware, hardware.slice))
    throw Error(ErrorCode::kInvalidArgument, no_such_slice(hardware, hardware.slice));
  if (!hardware.slice.empty() && devices != num_devices(hardware.slice))
    fail(fmt::format("{}, as the slice {} of {} has", num_devices(hardware.slice), slice_text(hardware.slice),
                     hardware.name));
  if (const auto largest = largest_slice(hardware); largest && devices > num_devices(*largest))
    fail(fmt::format("at most {}, the largest slice of {} ({})", num_devices(*largest), hardware.name,
                     slice_text(*largest)));
}

}  // namespace meshmul
