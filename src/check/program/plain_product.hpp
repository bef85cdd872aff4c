#pragma once
// A product of whole arrays in f64, and how large its sums get.

#include <vector>

#include "../matrices.hpp"
#include "meshmul/check.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::checking {

/// Norms of the rows of a and the columns of b, by batch entry: squares[batch][i] is the root of the sum of squares, fourths
/// that of fourth powers.
struct VectorNorms {
  std::vector<std::vector<double>> squares, fourths;

  double largest() const;  ///< of squares
};

struct PlainProduct {
  HostArray c;  ///< f64; of integers modulo 2^32
  VectorNorms rows, columns;
  std::int64_t contraction = 0;
};

/// `a` and `b` are whole arrays of any dtype. By a tuned library; integers whose sums f64 may not hold one by one.
PlainProduct multiply(const Product& product, const HostArray& a, const HostArray& b, const CheckOptions& options);

/// Calls `visit(row-major offset in c, batch, row, column)` for every element.
template <class Visit>
void for_each_place(const Product& product, const HostArray& c, const Visit& visit) {
  const IndexRoles roles = index_roles(product);
  const Matrices places({&c}, axis_of(product.c, roles.batch), axis_of(product.c, roles.left),
                        axis_of(product.c, roles.right));
  const std::vector<std::int64_t> columns = places.column_offsets({0, places.num_columns()});
  for (std::int64_t batch = 0; batch < places.num_batches(); ++batch)
    for (std::int64_t row = 0; row < places.num_rows(); ++row)
      for (std::size_t column = 0; column < columns.size(); ++column)
        visit(places.row_offset(batch, row) + columns[column], static_cast<std::size_t>(batch),
              static_cast<std::size_t>(row), column);
}

}  // namespace meshmul::checking
