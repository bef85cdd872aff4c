#include "vector_test.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "meshmul/error.hpp"
#include "meshmul/random.hpp"
#include "modular.hpp"

namespace meshmul::checking {
namespace {

/// Elements that are read at a time.
constexpr std::int64_t kBlockElements = std::int64_t{1} << 18;

/// Calls `visit(row, column, value, magnitude)` for all elements of a matrix.
template <class Visit>
void for_each_element(const Matrices& matrices, std::int64_t batch, const CheckOptions& options, const Visit& visit) {
  const std::int64_t block_columns = std::clamp<std::int64_t>(matrices.num_columns(), 1, kBlockElements);
  const std::int64_t block_rows = kBlockElements / block_columns;
  const bool several_terms = matrices.terms().size() > 1;
  std::vector<std::int64_t> rows;
  std::vector<double> values;
  std::vector<double> magnitudes;
  for (std::int64_t row = 0; row < matrices.num_rows(); row += block_rows) {
    if (options.interrupted && options.interrupted()) throw Error(ErrorCode::kInterrupted, "the check was interrupted");
    rows.resize(static_cast<std::size_t>(std::min(block_rows, matrices.num_rows() - row)));
    std::iota(rows.begin(), rows.end(), row);
    for (std::int64_t column = 0; column < matrices.num_columns(); column += block_columns) {
      const Interval columns{column, std::min(column + block_columns, matrices.num_columns())};
      values.resize(rows.size() * static_cast<std::size_t>(columns.size()));
      matrices.read(batch, rows, columns, Reading::kValue, values.data());
      if (several_terms) {
        magnitudes.resize(values.size());
        matrices.read(batch, rows, columns, Reading::kMagnitude, magnitudes.data());
      }
      std::size_t at = 0;
      for (const std::int64_t r : rows)
        for (std::int64_t c = columns.begin; c < columns.end; ++c, ++at)
          visit(static_cast<std::size_t>(r), static_cast<std::size_t>(c), values[at],
                several_terms ? magnitudes[at] : std::fabs(values[at]));
    }
  }
}

std::vector<std::uint32_t> random_odd_numbers(std::int64_t count, std::uint64_t seed) {
  const HostArray random = random_array(Dtype::kI32, {count}, {.seed = seed, .whole_numbers_to = (1LL << 31) - 1});
  std::vector<std::uint32_t> numbers;
  for (const std::int32_t number : random.elements<std::int32_t>())
    numbers.push_back(static_cast<std::uint32_t>(number) | 1U);
  return numbers;
}

std::vector<double> random_signs(std::int64_t count, std::uint64_t seed) {
  const HostArray random = random_array(Dtype::kI8, {count}, {.seed = seed});
  std::vector<double> signs;
  for (const std::int8_t number : random.elements<std::int8_t>()) signs.push_back(number < 0 ? -1 : 1);
  return signs;
}

/// matrix * x modulo 2^32.
std::vector<std::uint32_t> multiply_modulo(const Matrices& matrices, std::int64_t batch, const CheckOptions& options,
                                           const std::vector<std::uint32_t>& x) {
  std::vector<std::uint32_t> y(static_cast<std::size_t>(matrices.num_rows()));
  for_each_element(matrices, batch, options, [&](std::size_t row, std::size_t column, double value, double) {
    y[row] += modulo_2_32(value) * x[column];
  });
  return y;
}

void test_integers(const ProductMatrices& product, std::int64_t batch, const CheckOptions& options, VectorTest& test) {
  const std::vector<std::uint32_t> x = random_odd_numbers(product.c.num_columns(), options.seed);
  const std::vector<std::uint32_t> expected =
      multiply_modulo(product.a, batch, options, multiply_modulo(product.b, batch, options, x));
  const std::vector<std::uint32_t> found = multiply_modulo(product.c, batch, options, x);
  for (std::size_t row = 0; row < found.size(); ++row)
    test.rows.add(Dtype::kI32, product.c.row_offset(batch, static_cast<std::int64_t>(row)), wrapped(found[row]),
                  wrapped(expected[row]), 0);
}

/// What the test of floats knows of b: x has zeros where a column is not finite.
struct TimesVector {
  std::vector<double> x;
  std::vector<double> values;      ///< b * x
  std::vector<double> magnitudes;  ///< |b| * |x|
  double squares = 0;              ///< of all elements of b in columns that count
  double root_fourths = 0;         ///< of each such column the root of the sum of fourth powers, added
};

TimesVector times_vector(const Matrices& b, std::int64_t batch, const CheckOptions& options) {
  TimesVector result;
  result.x = random_signs(b.num_columns(), options.seed);
  std::vector<double> squares(result.x.size());
  std::vector<double> fourths(result.x.size());
  for_each_element(b, batch, options, [&](std::size_t, std::size_t column, double, double magnitude) {
    squares[column] += magnitude * magnitude;
    fourths[column] += magnitude * magnitude * magnitude * magnitude;
  });
  for (std::size_t column = 0; column < result.x.size(); ++column) {
    if (std::isfinite(squares[column])) {
      result.squares += squares[column];
      result.root_fourths += std::sqrt(fourths[column]);
    } else {
      result.x[column] = 0;
    }
  }
  result.values.resize(static_cast<std::size_t>(b.num_rows()));
  result.magnitudes.resize(result.values.size());
  for_each_element(b, batch, options, [&](std::size_t row, std::size_t column, double value, double magnitude) {
    if (result.x[column] == 0) return;
    result.values[row] += value * result.x[column];
    result.magnitudes[row] += magnitude;
  });
  return result;
}

/// A row of a or of c.
struct RowSums {
  double times_x = 0;     ///< its side of the comparison
  double magnitudes = 0;  ///< the same sum with absolute values
  double squares = 0;
  double fourths = 0;
  std::int64_t not_finite = -1;  ///< a column of c with an element that is not finite
};

std::vector<RowSums> sum_rows_of_a(const Matrices& a, std::int64_t batch, const TimesVector& b,
                                   const CheckOptions& options) {
  std::vector<RowSums> rows(static_cast<std::size_t>(a.num_rows()));
  for_each_element(a, batch, options, [&](std::size_t row, std::size_t k, double value, double magnitude) {
    RowSums& sums = rows[row];
    sums.times_x += value * b.values[k];
    sums.magnitudes += magnitude * b.magnitudes[k];
    sums.squares += magnitude * magnitude;
    sums.fourths += magnitude * magnitude * magnitude * magnitude;
  });
  return rows;
}

std::vector<RowSums> sum_rows_of_c(const Matrices& c, std::int64_t batch, const TimesVector& b,
                                   const CheckOptions& options) {
  std::vector<RowSums> rows(static_cast<std::size_t>(c.num_rows()));
  for_each_element(c, batch, options, [&](std::size_t row, std::size_t column, double value, double magnitude) {
    RowSums& sums = rows[row];
    if (b.x[column] == 0) return;
    if (!std::isfinite(value)) sums.not_finite = static_cast<std::int64_t>(column);
    sums.times_x += value * b.x[column];
    sums.squares += magnitude * magnitude;
  });
  return rows;
}

/// The root of the sum, over the elements of a row, of the squares of their bounds. Each part of a bound is a factor of
/// the row times one of the column, so that the sum goes over the columns of b alone.
double root_of_squared_bounds(const ErrorModel& model, const RowSums& a, const RowSums& c, const TimesVector& b) {
  ElementSums sums;
  sums.absolute = std::sqrt(a.squares) * std::sqrt(b.squares);
  sums.root_squares = std::sqrt(std::sqrt(a.fourths)) * std::sqrt(b.root_fourths);
  // What was found may be far too large, and must not excuse itself.
  sums.expected = std::min(std::sqrt(c.squares), sums.absolute);
  sums.partial_range = sums.expected;
  ErrorModel row_model = model;
  row_model.underflow *= std::sqrt(static_cast<double>(b.x.size()));
  return row_model.bound(sums);
}

void test_floats(const ProductMatrices& product, std::int64_t batch, const ErrorModel& model,
                 const CheckOptions& options, VectorTest& test) {
  const TimesVector b = times_vector(product.b, batch, options);
  const std::vector<RowSums> a_rows = sum_rows_of_a(product.a, batch, b, options);
  const std::vector<RowSums> c_rows = sum_rows_of_c(product.c, batch, b, options);
  const std::int64_t columns = product.c.num_columns();
  // A sum of errors with random signs passes 8 times the root of their squares with a probability below 3e-14
  // (Hoeffding, 1963), and never the root of their number times it (Cauchy and Schwarz).
  const double spread = std::min(8.0, std::sqrt(static_cast<double>(columns)));
  // The vector's own sums are rounded as well, in f64.
  const double vector_roundings =
      2 * static_cast<double>(columns + product.a.num_columns()) * unit_roundoff(Dtype::kF64);
  for (std::size_t row = 0; row < a_rows.size(); ++row) {
    const auto position = static_cast<std::int64_t>(row);
    const RowSums& a = a_rows[row];
    const RowSums& c = c_rows[row];
    if (!std::isfinite(a.squares)) continue;
    if (c.not_finite >= 0) {
      test.suspects.push_back({batch, position, c.not_finite});
      continue;
    }
    if (!std::isfinite(a.magnitudes)) continue;  // the sum over the row may overflow where no element does
    const double bound = spread * root_of_squared_bounds(model, a, c, b) + vector_roundings * a.magnitudes;
    test.rows.add(Dtype::kF64, product.c.row_offset(batch, position), c.times_x, a.times_x, bound);
  }
}

}  // namespace

VectorTest test_rows(const ProductMatrices& product, Dtype dtype, const ErrorModel& model,
                     const CheckOptions& options) {
  VectorTest test;
  for (std::int64_t batch = 0; batch < product.c.num_batches(); ++batch) {
    if (dtype == Dtype::kI32)
      test_integers(product, batch, options, test);
    else
      test_floats(product, batch, model, options, test);
  }
  return test;
}

}  // namespace meshmul::checking
