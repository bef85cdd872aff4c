// Planned epilogues as the kernel does them: where operands lie, and which ones it cannot read.

#include "execute/cuda/epilogue_form.hpp"

#include <gmock/gmock.h>

#include "base/einsum.hpp"

namespace meshmul::cuda {
namespace {

/// Buffers of 16 x 16 elements each, and a vector.
class Memory {
 public:
  static constexpr int kVector = 4;
  View view(const Region& region) {
    const Shape shape = region.buffer == kVector ? Shape{16} : Shape{16, 16};
    const Dtype dtype = region.buffer == 2 ? Dtype::kF32 : Dtype::kBf16;
    return view_of(bytes_ + region.buffer * 1024, dtype, shape, region.box);
  }

 private:
  alignas(256) std::byte bytes_[5 * 1024];
};

Region box(int buffer, std::int64_t rows, std::int64_t columns, std::int64_t first_column = 0) {
  return {0, buffer, Box{{0, rows}, {first_column, first_column + columns}}};
}

class EpilogueForm : public ::testing::Test {
 protected:
  std::optional<std::vector<EpilogueStep>> form_of(const Region& result, const std::vector<PlannedStep>& steps) {
    const auto form = product_form(memory_.view(result), memory_.view(box(0, 8, 16)), memory_.view(box(1, 16, 16)),
                                   parse_einsum("ik,kj->ij"), false);
    if (!form) throw std::runtime_error("no product");
    return epilogue_form(*form, [this](const Region& region) { return memory_.view(region); },
                         {.result = result, .steps = steps});
  }
  Memory memory_;
};

TEST_F(EpilogueForm, FindsStridesOfMatricesRowsColumnsAndScalars) {
  const PlannedStep matrix{.function = MapFunction::kAdd, .operand = box(2, 8, 16)};
  const PlannedStep of_columns{
      .function = MapFunction::kBias, .operand = Region{0, Memory::kVector, Box{{0, 16}}}, .along = 1};
  const PlannedStep of_rows{
      .function = MapFunction::kScale, .operand = Region{0, Memory::kVector, Box{{4, 12}}}, .along = 0};
  const PlannedStep scalar{.function = MapFunction::kScale, .operand = Region{0, Memory::kVector, Box{{3, 4}}}};
  const PlannedStep gelu{.function = MapFunction::kGelu, .rounded_to = Dtype::kBf16};
  const auto steps = form_of(box(3, 8, 16), {matrix, of_columns, of_rows, scalar, gelu});
  ASSERT_TRUE(steps);
  const std::pair<std::int64_t, std::int64_t> strides[] = {{16, 1}, {0, 1}, {1, 0}, {0, 0}, {0, 0}};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*steps)[i].row_stride, strides[i].first) << i;
    EXPECT_EQ((*steps)[i].column_stride, strides[i].second) << i;
  }
  EXPECT_EQ((*steps)[0].dtype, Dtype::kF32);
  EXPECT_EQ((*steps)[2].operand, memory_.view(Region{0, Memory::kVector, Box{{4, 5}}}).data);
  EXPECT_EQ((*steps)[4].operand, nullptr);
  EXPECT_EQ((*steps)[4].rounded_to, Dtype::kBf16);
}

TEST_F(EpilogueForm, RefusesOperandsOfOtherExtentsAndResultsThatAreNoMatrix) {
  EXPECT_TRUE(form_of(box(3, 8, 16), {}));
  EXPECT_FALSE(form_of(box(3, 8, 16), {{.function = MapFunction::kAdd, .operand = box(2, 7, 16)}}));
  EXPECT_FALSE(form_of(box(3, 8, 16), {{.function = MapFunction::kAdd, .operand = box(2, 1, 16)}}));
  // One row: whether its columns are rows of the kernel, nobody can tell.
  const auto row = product_form(memory_.view(box(3, 1, 16)), memory_.view(box(0, 1, 16)), memory_.view(box(1, 16, 16)),
                                parse_einsum("ik,kj->ij"), false);
  ASSERT_TRUE(row);
  EXPECT_FALSE(
      epilogue_form(*row, [this](const Region& region) { return memory_.view(region); }, {.result = box(3, 1, 16)}));
}

}  // namespace
}  // namespace meshmul::cuda
