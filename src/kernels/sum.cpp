// Terms that lie in one piece each are added up block by block, so that the sum is written once. All else is a copy and then
// one reduce after the other.

#include <algorithm>
#include <array>
#include <cassert>

#include "kernels.hpp"
#include "runs.hpp"
#include "streaming.hpp"

namespace meshmul {
namespace {

// Small enough that a block of the sum stays in the first-level cache while the terms pass by.
constexpr std::int64_t kBlockBytes = 4096;

bool is_one_run(const ConstView& view) {
  std::int64_t stride = 1;
  for (int d = view.num_dims - 1; d >= 0; --d) {
    const auto dim = static_cast<std::size_t>(d);
    if (view.extents[dim] != 1 && view.strides[dim] != stride) return false;
    stride *= view.extents[dim];
  }
  return true;
}

// `elements` of each term, from the byte `offset` on.
void add_up(std::byte* sums, std::span<const ConstView> terms, std::int64_t offset, std::int64_t elements) {
  const Dtype dtype = terms.front().dtype;
  sum_run(sums, terms[0].data + offset, terms[1].data + offset, dtype, elements);
  for (const ConstView& term : terms.subspan(2)) add_run(sums, term.data + offset, dtype, elements);
}

}  // namespace

void sum(View dst, std::span<const ConstView> terms) {
  assert(terms.size() >= 2);
  if (!is_one_run(dst) || !std::all_of(terms.begin(), terms.end(), is_one_run)) {
    copy(dst, terms.front(), {});
    for (const ConstView& term : terms.subspan(1)) reduce(dst, term, {});
    return;
  }
  const std::int64_t element_bytes = size_bytes(dst.dtype);
  const std::int64_t bytes = dst.num_elements() * element_bytes;
  const bool streams = bytes >= kStreamBytes;
  alignas(64) std::array<std::byte, kBlockBytes> block;
  for (std::int64_t offset = 0; offset < bytes; offset += kBlockBytes) {
    const std::int64_t count = std::min(kBlockBytes, bytes - offset);
    add_up(streams ? block.data() : dst.data + offset, terms, offset, count / element_bytes);
    if (streams) stream_bytes(dst.data + offset, block.data(), count);
  }
  if (streams) end_streams();
}

}  // namespace meshmul
