// Compares the outputs of a program with its recomputation; how far they may differ is what random errors lead to.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "../comparison.hpp"
#include "../matrices.hpp"
#include "error_scale.hpp"
#include "meshmul/check.hpp"
#include "meshmul/error.hpp"
#include "plain_run.hpp"

namespace meshmul {
namespace checking {
namespace {

/// Errors with a normal distribution are larger with probability 1e-57.
constexpr double kScales = 16;
/// Outputs of fewer elements are recomputed several times with errors.
constexpr std::int64_t kFewestErrors = 64;

/// The sum of the terms, in f64.
std::vector<double> total(const Terms& terms) {
  std::vector<double> sum(static_cast<std::size_t>(terms.front()->num_elements()));
  for (const HostArray* const term : terms)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += (*term)[static_cast<std::int64_t>(i)];
  return sum;
}

std::vector<double> total(const HostArray& array) { return total(Terms{&array}); }

/// Recomputed outputs, and for each element the squares of the errors that it had.
struct Recomputed {
  std::vector<PlainValue> exact;
  std::vector<std::vector<double>> squares;
  int samples = 0;
};

Recomputed recompute(const Program& program, const std::vector<Terms>& inputs, const CheckOptions& options) {
  Recomputed recomputed;
  recomputed.exact = plain_outputs(program, inputs, options, std::nullopt);
  std::int64_t fewest = kFewestErrors;
  bool all_exact = true;
  for (const PlainValue& value : recomputed.exact) {
    recomputed.squares.emplace_back(static_cast<std::size_t>(value.array->num_elements()));
    if (value.array->num_elements() > 0) fewest = std::min(fewest, value.array->num_elements());
    all_exact = all_exact && value.is_exact;
  }
  if (all_exact) return recomputed;
  recomputed.samples = static_cast<int>((kFewestErrors + fewest - 1) / fewest);
  for (int sample = 0; sample < recomputed.samples; ++sample) {
    const std::vector<PlainValue> inexact =
        plain_outputs(program, inputs, options, options.seed + static_cast<std::uint64_t>(sample));
    for (std::size_t i = 0; i < inexact.size(); ++i) {
      const std::vector<double> values = total(*recomputed.exact[i].array);
      const std::vector<double> others = total(*inexact[i].array);
      for (std::size_t e = 0; e < values.size(); ++e)
        if (const double error = others[e] - values[e]; std::isfinite(error)) recomputed.squares[i][e] += error * error;
    }
  }
  return recomputed;
}

CheckResult compare(const ArrayType& type, const PlainValue& value, const std::vector<double>& squares, int samples,
                    const Terms& output) {
  CheckResult result;
  result.method = value.is_exact ? "every element recomputed exactly" : "every element recomputed in f64";
  const std::vector<double> expected = total(*value.array);
  const std::vector<double> found = total(output);
  std::vector<double> scales(expected.size());
  if (!value.is_exact) scales = error_scales(squares, expected, value.array->shape(), samples);
  Comparison comparison;
  for (std::size_t i = 0; i < expected.size(); ++i)
    comparison.add(type.dtype, static_cast<std::int64_t>(i), found[i], expected[i], kScales * scales[i]);
  result.ok = comparison.ok();
  result.elements_checked = comparison.count();
  if (comparison.count() > 0) {
    const Compared& worst = comparison.worst();
    result.element = Difference{worst.error, worst.bound, worst.found, worst.expected,
                                position_of(worst.offset, value.array->shape())};
  }
  return result;
}

void require_arrays(const Program& program, const std::vector<ValueId>& ids, const std::vector<Terms>& arrays,
                    std::string_view what) {
  if (arrays.size() != ids.size())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} {} are given; the program has {}", arrays.size(), what, ids.size()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const ArrayType& type = program.value(ids[i]).type;
    const Shape expected = global_shape(type);
    if (arrays[i].empty())
      throw Error(ErrorCode::kInvalidArgument, fmt::format("nothing is given for array {}", type.name));
    for (const HostArray* const term : arrays[i])
      if (term->shape() != expected)
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("array {} has shape [{}]; expected [{}]", type.name, fmt::join(term->shape(), ", "),
                                fmt::join(expected, ", ")));
  }
}

}  // namespace
}  // namespace checking

std::vector<CheckResult> check(const Program& program, const std::vector<Terms>& inputs,
                               const std::vector<Terms>& outputs, const CheckOptions& options) {
  const std::vector<ValueId> made = meshmul::outputs(program);
  checking::require_arrays(program, meshmul::inputs(program), inputs, "inputs");
  checking::require_arrays(program, made, outputs, "outputs");
  CheckOptions complete = options;
  for (const Terms& output : outputs)
    complete.partial_sums = std::max(complete.partial_sums, static_cast<std::int64_t>(output.size()));
  const checking::Recomputed recomputed = checking::recompute(program, inputs, complete);
  std::vector<CheckResult> results;
  for (std::size_t i = 0; i < made.size(); ++i)
    results.push_back(checking::compare(program.value(made[i]).type, recomputed.exact[i], recomputed.squares[i],
                                        recomputed.samples, outputs[i]));
  return results;
}

}  // namespace meshmul
