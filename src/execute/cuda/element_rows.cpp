#include "execute/cuda/element_rows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace meshmul::cuda {
namespace {

using Operands = std::span<const ElementLoops::Operand>;

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// Whether the quads of an operand lie together, or each row has one element of it; `outer` is the stride of rows.
bool in_quads(const ElementLoops::Operand& operand, std::int64_t inner, std::int64_t outer) {
  if (inner == 0) return true;
  const std::int64_t bytes = ElementRows::kQuad * size_bytes(operand.dtype);
  return inner == 1 && outer % ElementRows::kQuad == 0 && reinterpret_cast<std::intptr_t>(operand.data) % bytes == 0;
}

/// Of loops whose dimensions are merged.
std::optional<ElementRows> rows_of(std::span<const std::int64_t> extents, Operands operands, MapFunction function) {
  if (extents.empty() || extents.size() > 2) return std::nullopt;
  const std::size_t inner = extents.size() - 1;
  const std::int64_t rows = inner == 0 ? 1 : extents[0];
  if (rows == 0 || rows > kMost || extents[inner] == 0 || extents[inner] % ElementRows::kQuad != 0 ||
      extents[inner] / ElementRows::kQuad > kMost || operands[0].strides[inner] != 1)
    return std::nullopt;
  ElementRows work;
  work.function = function;
  work.num_sources = static_cast<std::int32_t>(operands.size()) - 1;
  work.rows = static_cast<std::int32_t>(rows);
  work.row_quads = static_cast<std::int32_t>(extents[inner] / ElementRows::kQuad);
  const auto columns = std::bit_ceil(static_cast<std::uint32_t>(std::min(work.row_quads, ElementRows::kWarp)));
  work.column_bits = std::countr_zero(columns);
  work.steps_down = rows >= ElementRows::kSteps * work.thread_rows();
  if (work.num_tiles() > kMost) return std::nullopt;
  for (std::size_t o = operands.size(); o-- > 0;) {
    const ElementLoops::Operand& operand = operands[o];
    const std::int64_t element = size_bytes(operand.dtype), outer = inner == 0 ? 0 : operand.strides[0];
    if (accumulator_of(operand.dtype) != Dtype::kF32 || !in_quads(operand, operand.strides[inner], outer))
      return std::nullopt;
    ElementRows::Operand& made = o == 0 ? work.dst : work.sources[o - 1];
    made.data = static_cast<const std::byte*>(operand.data);
    made.dtype = operand.dtype;
    made.row_bytes = outer * element;
    made.quad_bytes = static_cast<std::int32_t>(operand.strides[inner] * element * ElementRows::kQuad);
    made.step_bytes =
        work.steps_down ? made.row_bytes * work.thread_rows() : std::int64_t{made.quad_bytes} * work.thread_columns();
    if (o > 0 && o < operands.size() - 1) {
      const ElementRows::Operand& next = work.sources[o];
      if (next.dtype == made.dtype && next.quad_bytes == made.quad_bytes) made.alike = next.alike + 1;
    }
  }
  return work;
}

}  // namespace

std::optional<ElementRows> element_rows(const ElementLoops& loops) {
  if (loops.count == 0 || loops.sum != Dtype::kF32) return std::nullopt;
  const std::span extents(loops.extents, static_cast<std::size_t>(loops.num_dims));
  const Operands operands(loops.operands, static_cast<std::size_t>(loops.num_operands));
  if (loops.work == ElementLoops::Work::kAddToDst) {
    const ElementLoops::Operand sum[] = {operands[0], operands[0], operands[1]};
    return rows_of(extents, sum, MapFunction::kAdd);
  }
  const bool adds = loops.function == MapFunction::kConvert || loops.function == MapFunction::kBias;
  return rows_of(extents, operands, adds ? MapFunction::kAdd : loops.function);
}

std::optional<ElementRows> sum_rows(const View& dst, std::span<const ConstView> terms) {
  if (terms.empty() || terms.size() > ElementRows::kMostSources || dst.num_elements() == 0) return std::nullopt;
  std::vector<ElementLoops::Operand> operands;
  const auto add = [&](const ConstView& view) {
    ElementLoops::Operand& operand = operands.emplace_back();
    operand.data = view.data;
    operand.dtype = view.dtype;
    std::ranges::copy(view.strides, operand.strides);
  };
  add(dst);
  for (const ConstView& term : terms) add(term);
  auto extents = dst.extents;
  const int num_dims = merge_dims({extents.data(), static_cast<std::size_t>(dst.num_dims)}, operands);
  return rows_of({extents.data(), static_cast<std::size_t>(num_dims)}, operands, MapFunction::kAdd);
}

}  // namespace meshmul::cuda
