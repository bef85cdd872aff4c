#include "moved_elements.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <vector>

#include "double_double.hpp"
#include "error_model.hpp"
#include "matrices.hpp"
#include "meshmul/error.hpp"
#include "modular.hpp"

namespace meshmul::checking {
namespace {

/// Elements that are read at a time.
constexpr std::int64_t kBlock = 4096;
/// Arrays are read as matrices of one row, whose columns are the elements in the order of the output.
constexpr std::int64_t kOnlyRow = 0;

/// The dimensions of `from` in the order in which `to` has them. Those without an index are matched by position.
Axis axis_in_order_of(const ArrayType& to, const ArrayType& from) {
  const Axis in_place = dims_of(from);
  Axis axis;
  for (std::size_t d = 0; d < to.dims.size(); ++d) {
    const std::string& index = to.dims[d].index;
    std::size_t source = d;
    if (!index.empty()) {
      const auto same = [&](const Dim& dim) { return dim.index == index; };
      source = static_cast<std::size_t>(std::find_if(from.dims.begin(), from.dims.end(), same) - from.dims.begin());
      assert(source < from.dims.size());
    }
    axis.extents.push_back(in_place.extents[source]);
    axis.strides.push_back(in_place.strides[source]);
  }
  return axis;
}

/// What roundings may do to a sum of terms.
struct MoveErrors {
  double sum = 0;     ///< times the sum of the absolute values
  double output = 0;  ///< of the last rounding
  double underflow = 0;

  double bound(double expected, double magnitude) const {
    const double before_output = sum * magnitude + underflow;
    return before_output + output * (std::fabs(expected) + before_output);
  }
};

MoveErrors move_errors(const ArrayType& from, const ArrayType& to, const CheckOptions& options) {
  const Dtype wire = options.wire_dtype.value_or(to.dtype);
  const auto partial_sums = static_cast<double>(options.partial_sums);
  MoveErrors errors;
  if (options.partial_sums > 1) {
    errors.sum = partial_sums * (unit_roundoff(wire) + unit_roundoff(accumulator_of(to.dtype)));
    errors.underflow = partial_sums * underflow_error(wire);
  }
  if (options.partial_sums > 1 || from.dtype != to.dtype) {
    errors.output = unit_roundoff(to.dtype);
    errors.underflow += underflow_error(to.dtype);
  }
  return errors;
}

/// Sums of the terms of some elements, and of their absolute values.
struct Sums {
  explicit Sums(std::size_t count) : values(count), magnitudes(count) {}
  std::vector<DoubleDouble> values;
  std::vector<double> magnitudes;
};

Sums add_terms(const std::vector<Matrices>& terms, Interval block) {
  Sums sums(static_cast<std::size_t>(block.size()));
  std::vector<double> values(sums.values.size());
  for (const Matrices& term : terms) {
    term.read(0, {&kOnlyRow, 1}, block, Reading::kValue, values.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
      sums.values[i].add(values[i]);
      sums.magnitudes[i] += std::fabs(values[i]);
    }
  }
  return sums;
}

}  // namespace

Comparison compare_moved(const ArrayType& from, const ArrayType& to, const Terms& input, const Terms& output,
                         const CheckOptions& options) {
  const Matrices found_elements(output, {}, {}, dims_of(to));
  std::vector<Matrices> terms;
  for (const HostArray* const term : input) terms.push_back(Matrices({term}, {}, {}, axis_in_order_of(to, from)));
  const MoveErrors errors = move_errors(from, to, options);
  const bool wraps = to.dtype == Dtype::kI32;
  Comparison comparison;
  std::vector<double> found;
  for (std::int64_t begin = 0; begin < found_elements.num_columns(); begin += kBlock) {
    if (options.interrupted && options.interrupted()) throw Error(ErrorCode::kInterrupted, "the check was interrupted");
    const Interval block{begin, std::min(begin + kBlock, found_elements.num_columns())};
    found.resize(static_cast<std::size_t>(block.size()));
    found_elements.read(0, {&kOnlyRow, 1}, block, Reading::kValue, found.data());
    const Sums sums = add_terms(terms, block);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double value = sums.values[i].value();
      const double expected = wraps ? wrapped(value) : value;
      comparison.add(to.dtype, begin + static_cast<std::int64_t>(i), wraps ? wrapped(found[i]) : found[i], expected,
                     errors.bound(expected, sums.magnitudes[i]));
    }
  }
  return comparison;
}

}  // namespace meshmul::checking
