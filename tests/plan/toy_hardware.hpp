#pragma once
// A machine on which bytes, hops and products of small arrays all count.

#include "meshmul/hardware.hpp"

namespace meshmul::testing {

inline Hardware toy_hardware(NetworkKind kind = NetworkKind::kTorus) {
  Hardware toy;
  toy.name = "toy";
  toy.chip.flops_per_second[Dtype::kF64] = 1e7;  // and of every other dtype
  toy.chip.memory_bytes_per_second = 4e6;
  toy.network.kind = kind;
  toy.network.link_bytes_per_second = 5e4;
  toy.network.hop_seconds = 2e-4;
  return toy;
}

}  // namespace meshmul::testing
