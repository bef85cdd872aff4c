#include "execute/cuda/transfer.hpp"

#include <cassert>
#include <optional>

#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {
namespace {

/// `rows` rows of `row_bytes`, which begin `dst_pitch` and `src_pitch` bytes apart.
struct Rows {
  std::int64_t row_bytes = 0;
  std::int64_t rows = 1;
  std::int64_t dst_pitch = 0;
  std::int64_t src_pitch = 0;
};

std::optional<Rows> rows_of(const View& dst, const ConstView& src) {
  if (dst.dtype != src.dtype) return std::nullopt;
  const std::int64_t element = size_bytes(dst.dtype);
  Rows rows{element, 1, 0, 0};
  bool in_rows = true;  // so far all elements lie together
  for (int dim = dst.num_dims - 1; dim >= 0; --dim) {
    const auto d = static_cast<std::size_t>(dim);
    if (dst.extents[d] == 1) continue;
    const std::int64_t to = dst.strides[d] * element, from = src.strides[d] * element;
    if (in_rows && to == rows.row_bytes && from == rows.row_bytes) {
      rows.row_bytes *= dst.extents[d];
    } else if (in_rows) {
      in_rows = false;
      rows.rows = dst.extents[d];
      rows.dst_pitch = to;
      rows.src_pitch = from;
    } else if (to == rows.dst_pitch * rows.rows && from == rows.src_pitch * rows.rows) {
      rows.rows *= dst.extents[d];
    } else {
      return std::nullopt;
    }
  }
  // The engine steps from row to row, never back or over itself.
  if (rows.rows > 1 && (rows.dst_pitch < rows.row_bytes || rows.src_pitch < rows.row_bytes)) return std::nullopt;
  return rows;
}

}  // namespace

bool is_engine_copy(const View& dst, const ConstView& src) { return rows_of(dst, src).has_value(); }

void engine_copy(const View& dst, const ConstView& src, cudaStream_t stream) {
  if (dst.num_elements() == 0) return;
  const std::optional<Rows> rows = rows_of(dst, src);
  assert(rows);
  if (rows->rows == 1)
    check(cudaMemcpyAsync(dst.data, src.data, static_cast<std::size_t>(rows->row_bytes), cudaMemcpyDefault, stream),
          "copying");
  else
    check(cudaMemcpy2DAsync(dst.data, static_cast<std::size_t>(rows->dst_pitch), src.data,
                            static_cast<std::size_t>(rows->src_pitch), static_cast<std::size_t>(rows->row_bytes),
                            static_cast<std::size_t>(rows->rows), cudaMemcpyDefault, stream),
          "copying rows");
}

}  // namespace meshmul::cuda
