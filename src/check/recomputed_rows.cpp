#include "recomputed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <thread>

#include "kernels/kernels.hpp"
#include "modular.hpp"
#include "parallel.hpp"

namespace meshmul::checking {
namespace {

/// Extents of the blocks that are in f64 at a time; of 2 MB each.
constexpr std::int64_t kBlock = 512;

/// Some rows of one batch entry by some columns: what one thread computes in one go.
struct Task {
  std::int64_t batch = 0;
  std::span<const std::int64_t> rows;
  Interval columns;
};

std::vector<Task> tasks_of(const std::vector<RowSet>& row_sets, std::int64_t num_columns) {
  std::vector<Task> tasks;
  for (const RowSet& set : row_sets)
    for (std::size_t row = 0; row < set.rows.size(); row += kBlock)
      for (std::int64_t column = 0; column < num_columns; column += kBlock)
        tasks.push_back({set.batch,
                         std::span(set.rows).subspan(row, std::min<std::size_t>(kBlock, set.rows.size() - row)),
                         {column, std::min(column + kBlock, num_columns)}});
  return tasks;
}

/// Of each row of a or column of b: sums of squares and of fourth powers.
struct Norms {
  explicit Norms(std::size_t count) : squares(count), fourths(count) {}
  void add(std::size_t i, double value) {
    squares[i] += value * value;
    fourths[i] += value * value * value * value;
  }
  /// The roots: what Cauchy and Schwarz multiply.
  void finish() {
    for (double& square : squares) square = std::sqrt(square);
    for (double& fourth : fourths) fourth = std::sqrt(std::sqrt(fourth));
  }
  std::vector<double> squares, fourths;
};

View dense_view(std::vector<double>& values, std::size_t rows, std::size_t columns) {
  View view{std::as_writable_bytes(std::span(values)).data(), Dtype::kF64, 2, {}, {}};
  view.extents = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  view.strides = {static_cast<std::int64_t>(columns), 1};
  return view;
}

/// What norms are taken of: the sign of a single term does not matter to them, so that one reading does for both.
Reading first_reading(const Matrices& matrices) {
  return matrices.terms().size() > 1 ? Reading::kMagnitude : Reading::kValue;
}

/// The memory of one thread, and its work on one task.
class BlockChecker {
 public:
  BlockChecker(const ProductMatrices& product, Dtype dtype, const ErrorModel& model, std::int64_t contraction_block)
      : product_(product),
        dtype_(dtype),
        model_(model),
        contraction_block_(contraction_block),
        library_(make_local_products("")) {}

  void check(const Task& task) {
    c_.assign(task.rows.size() * static_cast<std::size_t>(task.columns.size()), 0.0);
    lowest_.assign(model_.partial > 0 ? c_.size() : 0, 0.0);
    highest_ = lowest_;
    Norms row_norms(task.rows.size());
    Norms column_norms(static_cast<std::size_t>(task.columns.size()));
    const std::int64_t contraction = product_.a.num_columns();
    for (std::int64_t k = 0; k < contraction; k += contraction_block_) {
      const Interval block{k, std::min(k + contraction_block_, contraction)};
      read_a(task, block, row_norms);
      read_b(task, block, column_norms);
      multiply(task, block);
    }
    row_norms.finish();
    column_norms.finish();
    compare(task, row_norms, column_norms);
  }

  const Comparison& comparison() const { return comparison_; }

 private:
  void read_a(const Task& task, Interval block, Norms& norms) {
    const auto depth = static_cast<std::size_t>(block.size());
    a_.resize(task.rows.size() * depth);
    const auto read = [&](Reading reading) { product_.a.read(task.batch, task.rows, block, reading, a_.data()); };
    read(first_reading(product_.a));
    for (std::size_t i = 0, at = 0; i < task.rows.size(); ++i)
      for (std::size_t k = 0; k < depth; ++k) norms.add(i, a_[at++]);
    if (product_.a.terms().size() > 1) read(Reading::kValue);
  }

  void read_b(const Task& task, Interval block, Norms& norms) {
    const auto num_columns = static_cast<std::size_t>(task.columns.size());
    std::vector<std::int64_t> rows(static_cast<std::size_t>(block.size()));
    std::iota(rows.begin(), rows.end(), block.begin);
    b_.resize(rows.size() * num_columns);
    const auto read = [&](Reading reading) { product_.b.read(task.batch, rows, task.columns, reading, b_.data()); };
    read(first_reading(product_.b));
    for (std::size_t k = 0, at = 0; k < rows.size(); ++k)
      for (std::size_t j = 0; j < num_columns; ++j) norms.add(j, b_[at++]);
    if (product_.b.terms().size() > 1) read(Reading::kValue);
  }

  void multiply(const Task& task, Interval block) {
    const auto depth = static_cast<std::size_t>(block.size());
    const std::size_t num_rows = task.rows.size();
    const auto num_columns = static_cast<std::size_t>(task.columns.size());
    library_->gemm(dense_view(c_, num_rows, num_columns), dense_view(a_, num_rows, depth),
                   dense_view(b_, depth, num_columns), {"ik", "kj", "ij"}, true);
    for (std::size_t i = 0; i < lowest_.size(); ++i) {
      lowest_[i] = std::min(lowest_[i], c_[i]);
      highest_[i] = std::max(highest_[i], c_[i]);
    }
  }

  void compare(const Task& task, const Norms& row_norms, const Norms& column_norms) {
    found_.resize(c_.size());
    product_.c.read(task.batch, task.rows, task.columns, Reading::kValue, found_.data());
    const bool wraps = dtype_ == Dtype::kI32;
    const std::vector<std::int64_t> column_offsets = product_.c.column_offsets(task.columns);
    for (std::size_t i = 0, at = 0; i < task.rows.size(); ++i) {
      const std::int64_t row_offset = product_.c.row_offset(task.batch, task.rows[i]);
      for (std::size_t j = 0; j < column_offsets.size(); ++j, ++at) {
        ElementSums sums;
        sums.expected = wraps ? wrapped(c_[at]) : c_[at];
        sums.absolute = row_norms.squares[i] * column_norms.squares[j];
        sums.root_squares = row_norms.fourths[i] * column_norms.fourths[j];
        sums.partial_range = lowest_.empty() ? 0 : highest_[at] - lowest_[at];
        comparison_.add(dtype_, row_offset + column_offsets[j], wraps ? wrapped(found_[at]) : found_[at], sums.expected,
                        model_.bound(sums));
      }
    }
  }

  const ProductMatrices& product_;
  Dtype dtype_;
  ErrorModel model_;
  std::int64_t contraction_block_;
  std::unique_ptr<LocalProductLibrary> library_;
  std::vector<double> a_, b_, c_, found_;
  std::vector<double> lowest_, highest_;  ///< of the sums up to each block of the contraction
  Comparison comparison_;
};

}  // namespace

Comparison recompute_rows(const ProductMatrices& product, Dtype dtype, const ErrorModel& model,
                          const std::vector<RowSet>& row_sets, const CheckOptions& options) {
  const std::vector<Task> tasks = tasks_of(row_sets, product.c.num_columns());
  // Where partial sums count, blocks are short enough to see several sums within the part of each device.
  const std::int64_t contraction_block =
      options.partial_sums > 1
          ? std::clamp<std::int64_t>(product.a.num_columns() / (4 * options.partial_sums), 32, kBlock)
          : kBlock;
  const auto num_tasks = static_cast<std::int64_t>(tasks.size());
  const int cores =
      options.num_threads > 0 ? options.num_threads : static_cast<int>(std::thread::hardware_concurrency());
  const int num_threads = static_cast<int>(std::clamp<std::int64_t>(cores, 1, std::max<std::int64_t>(num_tasks, 1)));
  std::vector<std::unique_ptr<BlockChecker>> checkers(static_cast<std::size_t>(num_threads));
  for_each_task(num_tasks, num_threads, options.interrupted, [&](int thread, std::int64_t task) {
    std::unique_ptr<BlockChecker>& checker = checkers[static_cast<std::size_t>(thread)];
    if (!checker) checker = std::make_unique<BlockChecker>(product, dtype, model, contraction_block);
    checker->check(tasks[static_cast<std::size_t>(task)]);
  });
  Comparison comparison;
  for (const std::unique_ptr<BlockChecker>& checker : checkers)
    if (checker) comparison.merge(checker->comparison());
  return comparison;
}

}  // namespace meshmul::checking
