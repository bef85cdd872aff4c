#include "capabilities.hpp"

#include <algorithm>

#include "effects.hpp"
#include "op_regions.hpp"

namespace meshmul {

bool needs_addressable(const Op& op, int rank) {
  if (is_put_or_get(op) || is_signal_or_wait(op)) return false;
  const std::vector<Region> srcs = sources(op);
  return destination(op).rank != rank || !effects_of(op, rank).raises.empty() ||
         std::any_of(srcs.begin(), srcs.end(), [rank](const Region& src) { return src.rank != rank; });
}

bool needs_strided(const Op& op, const std::vector<BufferDecl>& buffers) {
  const auto is_strided = [&](const Region& region) {
    return !is_contiguous(region.box, buffers[static_cast<std::size_t>(region.buffer)].shape);
  };
  if (const auto* put = std::get_if<Put>(&op)) return is_strided(put->dst) || is_strided(put->src);
  if (const auto* get = std::get_if<Get>(&op)) return is_strided(get->dst) || is_strided(get->src);
  return false;
}

Capabilities required_capabilities(const Schedule& schedule) {
  Capabilities required{.get = false, .addressable = false, .strided = false, .barrier = schedule.capabilities.barrier};
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        required.get = required.get || std::holds_alternative<Get>(op);
        required.addressable = required.addressable || needs_addressable(op, rank);
        required.strided = required.strided || needs_strided(op, schedule.buffers);
      }
  return required;
}

}  // namespace meshmul
