#include "plain_product.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <thread>

#include "../modular.hpp"
#include "../parallel.hpp"
#include "kernels/kernels.hpp"

namespace meshmul::checking {
namespace {

/// Extents of the blocks that are in f64 at a time; of 2 MB each.
constexpr std::int64_t kBlock = 512;

struct Block {
  std::int64_t batch = 0;
  Interval rows, columns;
};

std::vector<Block> blocks_of(const Matrices& c) {
  std::vector<Block> blocks;
  for (std::int64_t batch = 0; batch < c.num_batches(); ++batch)
    for (std::int64_t row = 0; row < c.num_rows(); row += kBlock)
      for (std::int64_t column = 0; column < c.num_columns(); column += kBlock)
        blocks.push_back(
            {batch, {row, std::min(row + kBlock, c.num_rows())}, {column, std::min(column + kBlock, c.num_columns())}});
  return blocks;
}

std::vector<std::int64_t> numbers(Interval interval) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(interval.size()));
  std::iota(numbers.begin(), numbers.end(), interval.begin);
  return numbers;
}

View dense_view(std::vector<double>& values, std::size_t rows, std::size_t columns) {
  View view{std::as_writable_bytes(std::span(values)).data(), Dtype::kF64, 2, {}, {}};
  view.extents = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  view.strides = {static_cast<std::int64_t>(columns), 1};
  return view;
}

/// The memory of one thread, and its work on one block.
class BlockProduct {
 public:
  BlockProduct(const ProductMatrices& matrices, bool is_modular)
      : matrices_(matrices), is_modular_(is_modular), library_(make_local_products("")) {}

  void multiply(const Block& block, double* c) {
    const std::vector<std::int64_t> rows = numbers(block.rows);
    const auto num_columns = static_cast<std::size_t>(block.columns.size());
    c_.assign(rows.size() * num_columns, 0.0);
    const std::int64_t contraction = matrices_.a.num_columns();
    for (std::int64_t k = 0; k < contraction; k += kBlock) {
      const Interval part{k, std::min(k + kBlock, contraction)};
      const auto depth = static_cast<std::size_t>(part.size());
      a_.resize(rows.size() * depth);
      b_.resize(depth * num_columns);
      matrices_.a.read(block.batch, rows, part, Reading::kValue, a_.data());
      matrices_.b.read(block.batch, numbers(part), block.columns, Reading::kValue, b_.data());
      if (is_modular_)
        add_modulo(rows.size(), depth, num_columns);
      else
        library_->gemm(dense_view(c_, rows.size(), num_columns), dense_view(a_, rows.size(), depth),
                       dense_view(b_, depth, num_columns), {"ik", "kj", "ij"}, true);
    }
    const std::vector<std::int64_t> offsets = matrices_.c.column_offsets(block.columns);
    for (std::size_t i = 0, at = 0; i < rows.size(); ++i)
      for (const std::int64_t offset : offsets) c[matrices_.c.row_offset(block.batch, rows[i]) + offset] = c_[at++];
  }

 private:
  void add_modulo(std::size_t rows, std::size_t depth, std::size_t columns) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t j = 0; j < columns; ++j) {
          double& sum = c_[i * columns + j];
          sum = wrapped(modulo_2_32(sum) + modulo_2_32(a_[i * depth + k]) * modulo_2_32(b_[k * columns + j]));
        }
  }

  const ProductMatrices& matrices_;
  bool is_modular_;
  std::unique_ptr<LocalProductLibrary> library_;
  std::vector<double> a_, b_, c_;
};

/// Of rows, or with `of_columns` of columns.
VectorNorms norms_of(const Matrices& matrices, bool of_columns) {
  VectorNorms norms;
  const auto count = static_cast<std::size_t>(of_columns ? matrices.num_columns() : matrices.num_rows());
  std::vector<double> values(static_cast<std::size_t>(matrices.num_columns()));
  for (std::int64_t batch = 0; batch < matrices.num_batches(); ++batch) {
    std::vector<double>& squares = norms.squares.emplace_back(count);
    std::vector<double>& fourths = norms.fourths.emplace_back(count);
    for (std::int64_t row = 0; row < matrices.num_rows(); ++row) {
      matrices.read(batch, {&row, 1}, {0, matrices.num_columns()}, Reading::kValue, values.data());
      for (std::size_t j = 0; j < values.size(); ++j) {
        const std::size_t i = of_columns ? j : static_cast<std::size_t>(row);
        const double square = values[j] * values[j];
        squares[i] += square;
        fourths[i] += square * square;
      }
    }
    for (double& square : squares) square = std::sqrt(square);
    for (double& fourth : fourths) fourth = std::sqrt(std::sqrt(fourth));
  }
  return norms;
}

}  // namespace

double VectorNorms::largest() const {
  double largest = 0;
  for (const std::vector<double>& of_batch : squares)
    for (const double norm : of_batch) largest = std::max(largest, norm);
  return largest;
}

PlainProduct multiply(const Product& product, const HostArray& a, const HostArray& b, const CheckOptions& options) {
  PlainProduct result{HostArray(Dtype::kF64, global_shape(product.c)), {}, {}, 0};
  const ProductMatrices matrices = matrices_of(product, {{&a}, {&b}}, {&result.c});
  result.contraction = matrices.a.num_columns();
  result.rows = norms_of(matrices.a, false);
  result.columns = norms_of(matrices.b, true);
  const bool is_integer = accumulator_of(product.a.dtype) == Dtype::kI32;
  const bool is_modular = is_integer && result.rows.largest() * result.columns.largest() >= 0x1p53;
  const std::vector<Block> blocks = blocks_of(matrices.c);
  const auto num_blocks = static_cast<std::int64_t>(blocks.size());
  const int cores =
      options.num_threads > 0 ? options.num_threads : static_cast<int>(std::thread::hardware_concurrency());
  const int num_threads = static_cast<int>(std::clamp<std::int64_t>(cores, 1, std::max<std::int64_t>(num_blocks, 1)));
  std::vector<std::unique_ptr<BlockProduct>> workers(static_cast<std::size_t>(num_threads));
  double* const c = result.c.elements<double>().data();
  for_each_task(num_blocks, num_threads, options.interrupted, [&](int thread, std::int64_t block) {
    std::unique_ptr<BlockProduct>& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker) worker = std::make_unique<BlockProduct>(matrices, is_modular);
    worker->multiply(blocks[static_cast<std::size_t>(block)], c);
  });
  return result;
}

}  // namespace meshmul::checking
