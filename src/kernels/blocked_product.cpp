#include "blocked_product.hpp"

#include <algorithm>
#include <utility>

namespace meshmul {
namespace {

/// Which operand of a loop a stride is asked of.
using Stride = std::int64_t ProductLoop::*;

/// The one loop of more than one element, or a loop of one element if there is none; nothing if there are several.
std::optional<ProductLoop> sole_loop(const LoopNest& nest) {
  ProductLoop sole;
  for (const ProductLoop& loop : nest) {
    if (loop.extent == 1) continue;
    if (sole.extent != 1) return std::nullopt;
    sole = loop;
  }
  return sole;
}

/// The matrix at `data` if one of its dimensions is contiguous and the other strides over it.
template <class Byte>
std::optional<BasicMatrix<Byte>> as_matrix(Byte* data, const LoopNest& rows, const LoopNest& columns, Stride stride) {
  const std::optional<ProductLoop> row = sole_loop(rows);
  const std::optional<ProductLoop> column = sole_loop(columns);
  if (!row || !column) return std::nullopt;
  const std::int64_t row_stride = (*row).*stride;
  const std::int64_t column_stride = (*column).*stride;
  BasicMatrix<Byte> matrix{data, 1, false};
  if (column->extent == 1)
    matrix.leading = std::max<std::int64_t>(row_stride, 1);
  else if (column_stride == 1 && (row->extent == 1 || row_stride >= column->extent))
    matrix.leading = row->extent == 1 ? column->extent : row_stride;
  else if (row->extent == 1 || (row_stride == 1 && column_stride >= row->extent))
    matrix = {data, column_stride, true};
  else
    return std::nullopt;
  if (matrix.leading > kMaxMatrixExtent) return std::nullopt;
  return matrix;
}

/// The panel of rows x columns at `data`, one dimension a loop.
template <class Byte>
BasicView<Byte> panel_view(Byte* data, Dtype dtype, const LoopNest& rows, const LoopNest& columns, Stride stride) {
  BasicView<Byte> view{data, dtype, 0, {}, {}};
  for (const LoopNest* nest : {&rows, &columns})
    for (const ProductLoop& loop : *nest) {
      const auto d = static_cast<std::size_t>(view.num_dims++);
      view.extents[d] = loop.extent;
      view.strides[d] = loop.*stride;
    }
  return view;
}

/// Those elements without gaps, in the order of the same dimensions; row by row, or column by column if transposed.
View dense_view(std::byte* data, Dtype dtype, const LoopNest& rows, const LoopNest& columns, bool transposed) {
  View view = panel_view(data, dtype, rows, columns, &ProductLoop::c);
  std::int64_t stride = 1;
  const auto fill = [&](int begin, int end) {
    for (int d = end - 1; d >= begin; --d) {
      view.strides[static_cast<std::size_t>(d)] = stride;
      stride *= view.extents[static_cast<std::size_t>(d)];
    }
  };
  if (transposed) {
    fill(0, rows.size());
    fill(rows.size(), view.num_dims);
  } else {
    fill(rows.size(), view.num_dims);
    fill(0, rows.size());
  }
  return view;
}

bool is_contiguous_along(const LoopNest& nest, Stride stride) {
  return std::any_of(nest.begin(), nest.end(), [&](const ProductLoop& loop) { return loop.*stride == 1; });
}

/// Packs rows x columns at `data` into `scratch` as a matrix of `dtype`, along whichever dimension is contiguous there.
ConstMatrix pack(const std::byte* data, Dtype from, const LoopNest& rows, const LoopNest& columns, Stride stride,
                 ScratchBytes& scratch, Dtype dtype, bool needs_rows) {
  const std::int64_t num_rows = rows.num_elements();
  const std::int64_t num_columns = columns.num_elements();
  const bool transposed = !needs_rows && is_contiguous_along(rows, stride) && !is_contiguous_along(columns, stride);
  std::byte* packed = scratch.at_least(num_rows * num_columns * size_bytes(dtype));
  meshmul::copy(dense_view(packed, dtype, rows, columns, transposed), panel_view(data, from, rows, columns, stride),
                {});
  return {packed, transposed ? num_rows : num_columns, transposed};
}

}  // namespace

BlockedProduct::BlockedProduct(MatrixKernel& kernel, ProductScratch& scratch, View c, ConstView a, ConstView b,
                               const Einsum& einsum, bool accumulate)
    : kernel_(kernel),
      scratch_(scratch),
      c_(c),
      a_(a),
      b_(b),
      accumulate_(accumulate),
      loops_(product_loops(c, a, b, einsum)),
      accumulator_(accumulator_of(a.dtype)) {
  // Kernels write c row by row: its contiguous dimension has to be among the columns.
  const auto last_stride = [](const LoopNest& nest) { return nest[nest.size() - 1].c; };
  const bool has_left = loops_.left.size() > 0;
  const bool has_right = loops_.right.size() > 0;
  if (has_right && (has_left ? last_stride(loops_.left) < last_stride(loops_.right) : last_stride(loops_.right) != 1)) {
    loops_ = swapped(loops_);
    std::swap(a_, b_);
  }
}

void BlockedProduct::choose_panels() {
  // 3 panels of 8-byte elements, or 4 of at most 4 bytes: at most 32 MiB.
  constexpr std::int64_t kDepth = 1024;
  const std::int64_t side = size_bytes(kernel_.operand()) == 8 ? 1024 : 1536;
  const bool a_in_place = in_place(a_, a_.data, loops_.left, loops_.contracted, &ProductLoop::a).has_value();
  const bool b_in_place = in_place(b_, b_.data, loops_.contracted, loops_.right, &ProductLoop::b).has_value();
  contracted_limit_ = std::min(kernel_.max_depth(), a_in_place && b_in_place ? kMaxMatrixExtent : kDepth);

  const bool one_panel = num_panels(loops_.contracted, contracted_limit_) == 1;
  const bool may_add = kernel_.accumulates() || (one_panel && !accumulate_);
  const bool may_write =
      c_.dtype == kernel_.result() ? kernel_.result() == accumulator_ : kernel_.rounds_into(c_.dtype) && one_panel;
  const auto matrix = as_matrix(c_.data, loops_.left, loops_.right, &ProductLoop::c);
  into_c_ = may_add && may_write && matrix && !matrix->transposed;
  left_limit_ = a_in_place && into_c_ ? kMaxMatrixExtent : side;
  right_limit_ = b_in_place && into_c_ ? kMaxMatrixExtent : side;
}

std::optional<ConstMatrix> BlockedProduct::in_place(const ConstView& view, const std::byte* data, const LoopNest& rows,
                                                    const LoopNest& columns, Stride stride) const {
  if (view.dtype != kernel_.operand()) return std::nullopt;
  const auto matrix = as_matrix(data, rows, columns, stride);
  if (matrix && matrix->transposed && kernel_.needs_rows()) return std::nullopt;
  return matrix;
}

void BlockedProduct::run() {
  if (c_.num_elements() == 0) return;
  if (loops_.contracted.num_elements() == 0) {
    if (!accumulate_) meshmul::map(c_, MapFunction::kZero, {});
    return;
  }
  choose_panels();
  for_each_panel(loops_.batch, 1, [&](const Panel& batch) { run_matrix(batch); });
}

void BlockedProduct::run_matrix(const Panel& batch) {
  packed_b_.reset();
  for_each_panel(loops_.right, right_limit_, [&](Panel right) {
    right.b += batch.b;
    for_each_panel(loops_.left, left_limit_, [&](Panel left) {
      left.a += batch.a;
      left.c += batch.c;
      if (into_c_)
        run_into_c(left, right);
      else
        run_into_sum(left, right);
    });
  });
}

void BlockedProduct::run_into_c(const Panel& left, const Panel& right) {
  std::byte* corner = c_.data + (left.c + right.c) * size_bytes(c_.dtype);
  for_each_panel(loops_.contracted, contracted_limit_, [&](const Panel& contracted) {
    MatrixProduct product = prepare(left, right, contracted);
    product.c = *as_matrix(corner, left.loops, right.loops, &ProductLoop::c);
    product.c_dtype = c_.dtype;
    product.accumulate = accumulate_ || contracted.index > 0;
    kernel_.multiply(product);
  });
}

void BlockedProduct::run_into_sum(const Panel& left, const Panel& right) {
  const std::int64_t n = right.loops.num_elements();
  const std::int64_t elements = left.loops.num_elements() * n;
  const View c = panel_view(c_.data + (left.c + right.c) * size_bytes(c_.dtype), c_.dtype, left.loops, right.loops,
                            &ProductLoop::c);
  const bool adds_itself = kernel_.result() == accumulator_ && kernel_.accumulates();
  const Matrix sum{scratch_.sum.at_least(elements * size_bytes(accumulator_)), n, false};
  const View sum_view = dense_view(sum.data, accumulator_, left.loops, right.loops, false);

  if (accumulate_) meshmul::copy(sum_view, c, {});
  for_each_panel(loops_.contracted, contracted_limit_, [&](const Panel& contracted) {
    const bool first = contracted.index == 0 && !accumulate_;
    MatrixProduct product = prepare(left, right, contracted);
    product.c_dtype = kernel_.result();
    if (adds_itself) {
      product.c = sum;
      product.accumulate = !first;
      return kernel_.multiply(product);
    }
    product.c = {scratch_.part.at_least(elements * size_bytes(kernel_.result())), n, false};
    kernel_.multiply(product);
    const View part = dense_view(product.c.data, kernel_.result(), left.loops, right.loops, false);
    if (first)
      meshmul::copy(sum_view, part, {});
    else
      meshmul::reduce(sum_view, part, {});
  });
  meshmul::copy(c, sum_view, {});
}

MatrixProduct BlockedProduct::prepare(const Panel& left, const Panel& right, const Panel& contracted) {
  MatrixProduct product;
  product.m = left.loops.num_elements();
  product.n = right.loops.num_elements();
  product.k = contracted.loops.num_elements();
  product.a = matrix_a(left, contracted);
  product.b = matrix_b(contracted, right);
  return product;
}

ConstMatrix BlockedProduct::matrix_a(const Panel& left, const Panel& contracted) {
  const std::byte* corner = a_.data + (left.a + contracted.a) * size_bytes(a_.dtype);
  const auto matrix = in_place(a_, corner, left.loops, contracted.loops, &ProductLoop::a);
  if (matrix) return *matrix;
  return pack(corner, a_.dtype, left.loops, contracted.loops, &ProductLoop::a, scratch_.a, kernel_.operand(),
              kernel_.needs_rows());
}

ConstMatrix BlockedProduct::matrix_b(const Panel& contracted, const Panel& right) {
  const std::byte* corner = b_.data + (contracted.b + right.b) * size_bytes(b_.dtype);
  const auto matrix = in_place(b_, corner, contracted.loops, right.loops, &ProductLoop::b);
  if (matrix) return *matrix;
  // All rows are multiplied by one panel of b before the next: with one panel of the contraction, b is packed once.
  if (!packed_b_ || packed_b_->contracted != contracted.index || packed_b_->right != right.index)
    packed_b_ = {contracted.index, right.index,
                 pack(corner, b_.dtype, contracted.loops, right.loops, &ProductLoop::b, scratch_.b, kernel_.operand(),
                      kernel_.needs_rows())};
  return packed_b_->matrix;
}

}  // namespace meshmul
