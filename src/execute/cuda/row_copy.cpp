#include "execute/cuda/row_copy.hpp"

namespace meshmul::cuda {

std::optional<RowCopy> row_copy(const View& dst, const ConstView& src) {
  if (dst.dtype != src.dtype || dst.num_elements() == 0) return std::nullopt;
  const std::int64_t element = size_bytes(dst.dtype);
  std::int64_t row_bytes = element;
  RowCopy copy{.dst = dst.data, .src = src.data};
  bool in_rows = true;  // so far all elements lie together
  for (int dim = dst.num_dims - 1; dim >= 0; --dim) {
    const auto d = static_cast<std::size_t>(dim);
    if (dst.extents[d] == 1) continue;
    const std::int64_t to = dst.strides[d] * element, from = src.strides[d] * element;
    if (in_rows && to == row_bytes && from == row_bytes) {
      row_bytes *= dst.extents[d];
    } else if (in_rows) {
      in_rows = false;
      copy.rows = dst.extents[d];
      copy.dst_pitch = to;
      copy.src_pitch = from;
    } else if (to == copy.dst_pitch * copy.rows && from == copy.src_pitch * copy.rows) {
      copy.rows *= dst.extents[d];
    } else {
      return std::nullopt;
    }
  }
  const auto whole = [](std::int64_t bytes) { return bytes % RowCopy::kVectorBytes == 0; };
  const auto aligned = [&](const std::byte* data) { return whole(reinterpret_cast<std::intptr_t>(data)); };
  if (!whole(row_bytes) || !whole(copy.dst_pitch) || !whole(copy.src_pitch) || !aligned(copy.dst) || !aligned(copy.src))
    return std::nullopt;
  copy.row_vectors = row_bytes / RowCopy::kVectorBytes;
  if (copy.num_vectors() > RowCopy::kMostVectors) return std::nullopt;
  return copy;
}

}  // namespace meshmul::cuda
