// Questions that a profile answers: the rate of a dtype, and whether a mesh fits.
#include "meshmul/hardware.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

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

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace

std::string_view name(NetworkKind kind) { return kind == NetworkKind::kTorus ? "torus" : "switch"; }

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
  if (!hardware.slice.empty() && devices != product(hardware.slice))
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("the slice {} of {} has {} devices, the mesh {} has {}; expected as many",
                    fmt::join(hardware.slice, "x"), hardware.name, product(hardware.slice), mesh.str(), devices));
  const std::vector<std::int64_t>& largest = network.slices.largest;
  if (!largest.empty() && devices > product(largest))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the mesh {} has {} devices; expected at most {}, the largest slice of {} ({})", mesh.str(),
                            devices, product(largest), hardware.name, fmt::join(largest, "x")));
}

}  // namespace meshmul
