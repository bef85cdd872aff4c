// Copy and reduce on strided views. Same dtypes with contiguous rows are one memcpy or one vector loop a row; all else
// is staged through the first-level cache, transposes in tiles that read every cache line of the source once.

#include <cassert>

#include "kernels.hpp"
#include "rows.hpp"
#include "runs.hpp"
#include "staging.hpp"

namespace meshmul {
namespace {

/// `src` with its dimensions in the order of dst's.
ConstView permuted(ConstView src, std::span<const int> permutation) {
  if (permutation.empty()) return src;
  assert(static_cast<int>(permutation.size()) == src.num_dims);
  ConstView view = src;
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    const auto from = static_cast<std::size_t>(permutation[d]);
    view.extents[d] = src.extents[from];
    view.strides[d] = src.strides[from];
  }
  return view;
}

void add_row(Row dst, ConstRow src, std::int64_t n) {
  const Dtype accumulator = accumulator_of(dst.dtype);
  if (dst.dtype == src.dtype && dst.stride == 1 && src.stride == 1) return add_run(dst.data, src.data, dst.dtype, n);
  Stage dst_stage;
  Stage src_stage;
  alignas(64) std::array<std::byte, kStageElements * 8> sums;
  for (std::int64_t i = 0; i < n; i += kStageElements) {
    const std::int64_t count = std::min(kStageElements, n - i);
    const Row part = dst.from(i);
    const std::byte* old = load({part.data, part.dtype, part.stride}, count, accumulator, dst_stage);
    convert_run(sums.data(), accumulator, old, accumulator, count);
    add_run(sums.data(), load(src.from(i), count, accumulator, src_stage), accumulator, count);
    store(part, count, sums.data(), accumulator, dst_stage);
  }
}

void copy_row(Row dst, ConstRow src, std::int64_t n) {
  if (dst.dtype == src.dtype) return move_run(dst.data, dst.stride, src.data, src.stride, n, size_bytes(dst.dtype));
  if (dst.stride == 1 && src.stride == 1) return convert_run(dst.data, dst.dtype, src.data, src.dtype, n);
  Stage dst_stage;
  Stage src_stage;
  for (std::int64_t i = 0; i < n; i += kStageElements) {
    const std::int64_t count = std::min(kStageElements, n - i);
    store(dst.from(i), count, load(src.from(i), count, dst.dtype, src_stage), dst.dtype, dst_stage);
  }
}

/// Does `work` on every row, where a source that runs across the rows is turned into rows first.
template <class RowWork>
void for_each_row_pair(View dst, ConstView src, RowWork work) {
  constexpr std::int64_t kLineBytes = 64;
  const Loops loops = make_loops({dst, src});
  const Offsets& strides = loops.row().strides;
  const std::int64_t dst_bytes = size_bytes(dst.dtype);
  const std::int64_t src_bytes = size_bytes(src.dtype);
  if (!loops.crossed) {
    for_each_row(loops, [&](const Offsets& offsets, std::int64_t n) {
      work(Row{dst.data + offsets[0] * dst_bytes, dst.dtype, strides[0]},
           ConstRow{src.data + offsets[1] * src_bytes, src.dtype, strides[1]}, n);
    });
    return;
  }
  const std::int64_t side = kLineBytes / src_bytes;
  alignas(kLineBytes) std::array<std::byte, kLineBytes * kLineBytes> tile;
  for_each_tile(loops, side, [&](const Offsets& offsets, std::int64_t rows, std::int64_t columns) {
    transpose_tile(tile.data(), src.data + offsets[1] * src_bytes, strides[1], rows, columns, src_bytes);
    for (std::int64_t i = 0; i < rows; ++i)
      work(Row{dst.data + advanced(offsets, loops.across(), i)[0] * dst_bytes, dst.dtype, strides[0]},
           ConstRow{tile.data() + i * kLineBytes, src.dtype, 1}, columns);
  });
}

}  // namespace

void copy(View dst, ConstView src, std::span<const int> permutation) {
  for_each_row_pair(dst, permuted(src, permutation), copy_row);
}

void reduce(View dst, ConstView src, std::span<const int> permutation) {
  for_each_row_pair(dst, permuted(src, permutation), add_row);
}

}  // namespace meshmul
