// The collective that a backward pass makes of one.
#include <algorithm>

#include "meshmul/statement.hpp"
#include "notation/collective_type.hpp"

namespace meshmul {
namespace {

/// The cotangent of `array`: partial sums have one that is complete, and `partial_over` others.
ArrayType cotangent(ArrayType array, std::vector<int> partial_over = {}) {
  std::sort(partial_over.begin(), partial_over.end());
  array.name = "d" + array.name;
  array.sharding.unreduced = std::move(partial_over);
  return array;
}

}  // namespace

Statement transposed(const Collective& collective, const Mesh& mesh) {
  const bool leaves_copies =
      collective.kind == CollectiveKind::kAllGather || collective.kind == CollectiveKind::kAllReduce;
  const ArrayType from = cotangent(collective.to, leaves_copies ? collective.axes : std::vector<int>{});
  const ArrayType to = cotangent(collective.from);
  if (auto back = notation::find_collective(from, to, mesh)) return std::move(*back);
  return Reshard{from, to};
}

}  // namespace meshmul
