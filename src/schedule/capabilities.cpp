#include "capabilities.hpp"

#include <algorithm>

#include "effects.hpp"

namespace meshmul {
namespace {

bool is_transfer(const Op& op) { return std::holds_alternative<Put>(op) || std::holds_alternative<Get>(op); }

}  // namespace

bool is_contiguous(const Box& box, const Shape& shape) {
  if (box.empty()) return true;
  // Behind the first dimension with more than one element, every dimension must be whole.
  int d = 0;
  while (d < box.num_dims() && box[d].size() == 1) ++d;
  for (++d; d < box.num_dims(); ++d)
    if (box[d].size() != shape[static_cast<std::size_t>(d)]) return false;
  return true;
}

bool needs_addressable(const Op& op, int rank) {
  if (is_transfer(op) || std::holds_alternative<Signal>(op) || std::holds_alternative<Wait>(op)) return false;
  const Effects effects = effects_of(op, rank);
  const auto is_remote = [rank](const Region& region) { return region.rank != rank; };
  return !effects.raises.empty() || std::any_of(effects.reads.begin(), effects.reads.end(), is_remote) ||
         std::any_of(effects.writes.begin(), effects.writes.end(), is_remote);
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
  Capabilities required{.get = false, .addressable = false, .strided = false};
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
