#include "merged_sums.hpp"

#include <variant>

namespace meshmul {
namespace {

// Of a copy or a reduction: neither another dtype nor another order of dimensions.
template <class AnyOp>
const AnyOp* plain(const Schedule& schedule, const Op& op) {
  const auto* found = std::get_if<AnyOp>(&op);
  if (found == nullptr || !found->permutation.empty()) return nullptr;
  const auto dtype = [&](const Region& region) {
    return schedule.buffers[static_cast<std::size_t>(region.buffer)].dtype;
  };
  return dtype(found->dst) == dtype(found->src) ? found : nullptr;
}

}  // namespace

std::vector<MergedSum> merged_sums(const Schedule& schedule, const Lane& lane) {
  std::vector<MergedSum> all;
  for (std::size_t i = 0; i < lane.ops.size(); ++i) {
    const auto* copy = plain<Copy>(schedule, lane.ops[i]);
    if (copy == nullptr) continue;
    MergedSum sum{static_cast<int>(i), copy->dst, {copy->src}};
    bool is_open = !copy->arrived;
    while (is_open && i + 1 < lane.ops.size()) {
      const auto* reduce = plain<Reduce>(schedule, lane.ops[i + 1]);
      if (reduce == nullptr || reduce->dst != copy->dst) break;
      sum.terms.push_back(reduce->src);
      is_open = !reduce->arrived;
      ++i;
    }
    if (sum.terms.size() > 1) all.push_back(std::move(sum));
  }
  return all;
}

}  // namespace meshmul
