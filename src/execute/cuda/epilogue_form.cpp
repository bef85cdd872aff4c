#include "execute/cuda/epilogue_form.hpp"

#include <algorithm>

namespace meshmul::cuda {
namespace {

/// Rows and columns that are `row_stride` and `column_stride` elements apart.
struct Matrix {
  std::int64_t rows = 0, columns = 0, row_stride = 0, column_stride = 0;
};

/// Nothing if not just two dimensions have more than one element.
std::optional<Matrix> matrix(const View& view) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < static_cast<std::size_t>(view.num_dims); ++d)
    if (view.extents[d] != 1) dims.push_back(d);
  if (dims.size() != 2) return std::nullopt;
  return Matrix{view.extents[dims[0]], view.extents[dims[1]], view.strides[dims[0]], view.strides[dims[1]]};
}

/// A step with its operand, behind a result that is the matrix `of_result`.
std::optional<EpilogueStep> with_operand(const PlannedStep& step, const View& operand, const View& result,
                                         const Matrix& of_result) {
  EpilogueStep made{
      .function = step.function, .operand = operand.data, .dtype = operand.dtype, .rounded_to = step.rounded_to};
  if (operand.num_elements() == 1) return made;
  if (step.along) {
    const bool of_columns =
        std::all_of(result.extents.begin() + *step.along + 1, result.extents.begin() + result.num_dims,
                    [](std::int64_t extent) { return extent == 1; });
    (of_columns ? made.column_stride : made.row_stride) = operand.strides[0];
    return made;
  }
  const auto elements = matrix(operand);
  if (!elements || elements->rows != of_result.rows || elements->columns != of_result.columns) return std::nullopt;
  made.row_stride = elements->row_stride;
  made.column_stride = elements->column_stride;
  return made;
}

}  // namespace

std::optional<std::vector<EpilogueStep>> epilogue_form(const ProductForm& form, const ViewOf& view_of,
                                                       const PlannedEpilogue& planned) {
  const View result = view_of(planned.result);
  const auto of_result = matrix(result);
  if (!of_result || of_result->column_stride != 1 || form.products.size() != 1) return std::nullopt;
  const Product& product = form.products.front();
  if (product.m != of_result->rows || product.n != of_result->columns) return std::nullopt;
  std::vector<EpilogueStep> steps;
  for (const PlannedStep& step : planned.steps) {
    const auto made = step.operand
                          ? with_operand(step, view_of(*step.operand), result, *of_result)
                          : std::optional(EpilogueStep{.function = step.function, .rounded_to = step.rounded_to});
    if (!made) return std::nullopt;
    steps.push_back(*made);
  }
  return steps;
}

}  // namespace meshmul::cuda
