#pragma once
// Arrays of any number of dimensions seen as matrices: indices of one role run together to one axis.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/check.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::checking {

/// Several dimensions of an array as one, the last fastest; without any it has one position.
struct Axis {
  Shape extents;
  std::vector<std::int64_t> strides;  ///< in elements of the array

  std::int64_t size() const;
  /// Of a position, from the first element.
  std::int64_t offset(std::int64_t position) const;
};

/// The axis that the indices `names` form in `type`.
Axis axis_of(const ArrayType& type, const std::vector<std::string>& names);

/// All dimensions of `type` in their order.
Axis dims_of(const ArrayType& type);

enum class Reading {
  kValue,      ///< the sum of the terms
  kMagnitude,  ///< the sum of their absolute values
};

/// For each position along `batch` a matrix, whose elements are sums of terms.
class Matrices {
 public:
  Matrices(Terms terms, Axis batch, Axis rows, Axis columns);

  std::int64_t num_batches() const { return batch_.size(); }
  std::int64_t num_rows() const { return rows_.size(); }
  std::int64_t num_columns() const { return columns_.size(); }
  const Terms& terms() const { return terms_; }
  /// The same places in other arrays.
  Matrices with_terms(Terms terms) const { return {std::move(terms), batch_, rows_, columns_}; }

  /// Writes the given rows, cut to `columns`, to `values`, row after row. Sums of several terms round in f64.
  void read(std::int64_t batch, std::span<const std::int64_t> rows, Interval columns, Reading reading,
            double* values) const;

  /// An element lies at row_offset + column_offset of its array.
  std::int64_t row_offset(std::int64_t batch, std::int64_t row) const {
    return batch_.offset(batch) + rows_.offset(row);
  }
  std::vector<std::int64_t> column_offsets(Interval columns) const;

 private:
  Terms terms_;
  Axis batch_, rows_, columns_;
};

/// An element of the output.
struct ElementPlace {
  std::int64_t batch = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// A product as matrices: c = a * b for every batch entry.
struct ProductMatrices {
  Matrices a, b, c;
};
ProductMatrices matrices_of(const Product& product, const std::vector<Terms>& inputs, const Terms& output);

/// The position of a row-major offset.
std::vector<std::int64_t> position_of(std::int64_t offset, const Shape& shape);

}  // namespace meshmul::checking
