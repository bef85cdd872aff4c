// Chooses how a statement is checked, and says so.

#include "meshmul/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "comparison.hpp"
#include "error_model.hpp"
#include "matrices.hpp"
#include "meshmul/error.hpp"
#include "moved_elements.hpp"
#include "recomputed_elements.hpp"
#include "recomputed_rows.hpp"
#include "sample.hpp"
#include "vector_test.hpp"

namespace meshmul {
namespace checking {
namespace {

/// Sampled rows are as many as this pays for, within these limits.
constexpr double kSampledFlops = 1e11;
constexpr std::int64_t kFewestRows = 4;
constexpr std::int64_t kMostRows = 512;

double flops_of_row(const ProductMatrices& product) {
  return 2.0 * static_cast<double>(product.c.num_columns()) * static_cast<double>(product.a.num_columns());
}

double largest_magnitude(const Terms& terms) {
  double sum = 0;
  for (const HostArray* const term : terms) {
    double largest = 0;
    for (const std::int32_t value : term->elements<std::int32_t>())
      largest = std::max(largest, std::fabs(static_cast<double>(value)));
    sum += largest;
  }
  return sum;
}

/// True if f64 holds every sum of the integer product exactly. Sums of i8 always fit.
bool fits_f64(const Product& product, const ProductMatrices& matrices) {
  if (product.a.dtype != Dtype::kI32) return true;
  const double largest = largest_magnitude(matrices.a.terms()) * largest_magnitude(matrices.b.terms());
  return largest * static_cast<double>(matrices.a.num_columns()) < 0x1p53;
}

std::vector<RowSet> row_sets(const Matrices& c, const std::vector<std::int64_t>& rows) {
  std::vector<RowSet> sets;
  for (const std::int64_t row : rows) {
    const std::int64_t batch = row / c.num_rows();
    if (sets.empty() || sets.back().batch != batch) sets.push_back({batch, {}});
    sets.back().rows.push_back(row % c.num_rows());
  }
  return sets;
}

std::vector<ElementPlace> element_places(const Matrices& c, const std::vector<std::int64_t>& elements) {
  std::vector<ElementPlace> places;
  for (const std::int64_t element : elements) {
    const std::int64_t row = element / c.num_columns();
    places.push_back({row / c.num_rows(), row % c.num_rows(), element % c.num_columns()});
  }
  return places;
}

Difference difference(const Compared& compared, const Shape& shape) {
  return {compared.error, compared.bound, compared.found, compared.expected, position_of(compared.offset, shape)};
}

void report_elements(const Comparison& comparison, const Shape& shape, CheckResult& result) {
  result.ok = result.ok && comparison.ok();
  result.elements_checked = comparison.count();
  if (comparison.count() > 0) result.element = difference(comparison.worst(), shape);
}

void report_rows(const Comparison& comparison, const Product& product, CheckResult& result) {
  result.ok = result.ok && comparison.ok();
  result.rows_checked = comparison.count();
  if (comparison.count() == 0) return;
  result.row = difference(comparison.worst(), global_shape(product.c));
  for (const std::string& index : index_roles(product).right)
    for (std::size_t d = 0; d < product.c.dims.size(); ++d)
      if (product.c.dims[d].index == index) result.row->position[d] = -1;
}

CheckResult check_statement(const Product& product, const std::vector<Terms>& inputs, const Terms& output,
                            const CheckOptions& options) {
  const ProductMatrices matrices = matrices_of(product, inputs, output);
  const Matrices& c = matrices.c;
  const Dtype dtype = product.c.dtype;
  const bool integers = accumulator_of(product.a.dtype) == Dtype::kI32;
  const ErrorModel model = error_model(product, matrices.a.num_columns(), inputs[0].size(), inputs[1].size(), options);
  const std::int64_t num_rows = c.num_batches() * c.num_rows();
  const bool one_by_one = product.a.dtype == Dtype::kF64 || !fits_f64(product, matrices);

  CheckResult result;
  Comparison elements;
  bool all = true;
  if (one_by_one) {
    const std::int64_t num_elements = num_rows * c.num_columns();
    const std::vector<std::int64_t> chosen = sample(num_elements, options.sampled_elements, options.seed);
    elements = recompute_elements(matrices, dtype, model, element_places(c, chosen), options);
    all = elements.count() == num_elements;
    result.method =
        fmt::format("{} recomputed {}", all ? "every element" : fmt::format("{} sampled elements", elements.count()),
                    integers ? "modulo 2^32" : "in double-double");
  } else {
    all = static_cast<double>(num_rows) * flops_of_row(matrices) <= options.most_flops;
    const auto affordable = static_cast<std::int64_t>(kSampledFlops / std::max(flops_of_row(matrices), 1.0));
    const std::int64_t count = all ? num_rows : std::clamp(affordable, kFewestRows, kMostRows);
    const std::vector<std::int64_t> rows = sample(num_rows, count, options.seed);
    elements = recompute_rows(matrices, dtype, model, row_sets(c, rows), options);
    result.method =
        fmt::format("{} recomputed {}", all ? "every element" : fmt::format("{} of {} rows", rows.size(), num_rows),
                    integers ? "exactly" : "in f64");
  }
  if (!all) {
    const VectorTest test = test_rows(matrices, dtype, model, options);
    elements.merge(recompute_elements(matrices, dtype, model, test.suspects, options));
    result.method += ", and all rows tested with a random vector";
    report_rows(test.rows, product, result);
  }
  report_elements(elements, global_shape(product.c), result);
  return result;
}

CheckResult check_moved(const ArrayType& from, const ArrayType& to, const Terms& input, const Terms& output,
                        const CheckOptions& options) {
  CheckResult result;
  result.method = "every element compared with the input";
  report_elements(compare_moved(from, to, input, output, options), global_shape(to), result);
  return result;
}

CheckResult check_statement(const Reshard& reshard, const std::vector<Terms>& inputs, const Terms& output,
                            const CheckOptions& options) {
  return check_moved(reshard.from, reshard.to, inputs[0], output, options);
}

CheckResult check_statement(const Collective& collective, const std::vector<Terms>& inputs, const Terms& output,
                            const CheckOptions& options) {
  return check_moved(collective.from, collective.to, inputs[0], output, options);
}

void require_shape(const ArrayType& type, const Terms& terms) {
  const Shape expected = global_shape(type);
  if (terms.empty()) throw Error(ErrorCode::kInvalidArgument, fmt::format("nothing is given for array {}", type.name));
  for (const HostArray* const term : terms)
    if (term->shape() != expected)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("array {} has shape [{}]; expected [{}]", type.name,
                                                           fmt::join(term->shape(), ", "), fmt::join(expected, ", ")));
}

}  // namespace
}  // namespace checking

CheckResult check(const Statement& statement, const std::vector<Terms>& inputs, const Terms& output,
                  const CheckOptions& options) {
  const std::vector<const ArrayType*> types = meshmul::inputs(statement);
  if (inputs.size() != types.size())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} inputs are given; the statement has {}", inputs.size(), types.size()));
  for (std::size_t i = 0; i < types.size(); ++i) checking::require_shape(*types[i], inputs[i]);
  checking::require_shape(meshmul::output(statement), output);
  // Terms that were given apart are partial sums in any case.
  CheckOptions complete = options;
  complete.partial_sums = std::max(complete.partial_sums, static_cast<std::int64_t>(output.size()));
  if (!std::holds_alternative<Product>(statement))
    complete.partial_sums = std::max(complete.partial_sums, static_cast<std::int64_t>(inputs[0].size()));
  return std::visit([&](const auto& s) { return checking::check_statement(s, inputs, output, complete); }, statement);
}

CheckResult check(const Statement& statement, const std::vector<HostArray>& inputs, const HostArray& output,
                  const CheckOptions& options) {
  std::vector<Terms> terms;
  for (const HostArray& input : inputs) terms.push_back({&input});
  return check(statement, terms, Terms{&output}, options);
}

}  // namespace meshmul
