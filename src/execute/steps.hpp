#pragma once
// Ops with every region resolved to memory: what executors walk that run a schedule in memory they address.

#include <optional>
#include <vector>

#include "base/einsum.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// Also a put or a get: where peers are addressed, a transfer is a copy by the rank that asks for it.
struct CopyStep {
  View dst;
  ConstView src;
  std::vector<int> permutation;
};

struct ReduceStep {
  View dst;
  ConstView src;
  std::vector<int> permutation;
};

struct GemmStep {
  View c;
  ConstView a, b;
  Einsum einsum;
  bool accumulate = false;
};

struct MapStep {
  View dst;
  MapFunction function = MapFunction::kZero;
  std::vector<ConstView> srcs;
  std::optional<int> along;
};

}  // namespace meshmul
