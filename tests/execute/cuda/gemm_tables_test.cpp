// Runs of products as tables: what each piece finds where.

#include "execute/cuda/gemm/gemm_tables.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace meshmul::cuda {
namespace {

struct alignas(256) Memory {
  std::byte bytes[1 << 16];
};

TEST(GemmTables, GiveEachPieceTheStepsOfItsEpilogue) {
  Memory memory;
  const auto product = [&](std::vector<EpilogueStep> epilogue) {
    return Product{.m = 64,
                   .n = 64,
                   .parts = {{.a = memory.bytes, .b = memory.bytes, .a_stride = 64, .b_stride = 64, .k = 64}},
                   .c = memory.bytes,
                   .c_stride = 64,
                   .row_groups = {},
                   .raises = {},
                   .epilogue = std::move(epilogue)};
  };
  const EpilogueStep add{.function = MapFunction::kAdd,
                         .operand = memory.bytes,
                         .row_stride = 64,
                         .column_stride = 1,
                         .dtype = Dtype::kBf16,
                         .rounded_to = Dtype::kBf16,
                         .num_waits = 3};
  const EpilogueStep gelu{.function = MapFunction::kGelu, .rounded_to = Dtype::kF16};
  const std::vector<Product> products{product({}), product({add, gelu}), product({}), product({gelu})};
  EXPECT_TRUE(has_epilogue(products));
  EXPECT_FALSE(has_epilogue({products[0], products[2]}));
  const GemmTables tables =
      make_tables({.element = Dtype::kBf16}, products, {}, {.tile_n = 128, .cluster = 1, .rows_together = 1});
  ASSERT_EQ(tables.pieces.size(), 4U);
  ASSERT_EQ(tables.epilogue_steps.size(), 3U);
  const std::vector<std::int32_t> expected{0, 2, 0, 1};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(tables.pieces[i].num_epilogue_steps, expected[i]);
  EXPECT_EQ(tables.pieces[1].first_epilogue_step, 0);
  EXPECT_EQ(tables.pieces[3].first_epilogue_step, 2);
  EXPECT_EQ(tables.epilogue_steps[0].function, MapFunction::kAdd);
  EXPECT_EQ(tables.epilogue_steps[0].operand, memory.bytes);
  EXPECT_EQ(tables.epilogue_steps[0].num_waits, 3);
  EXPECT_EQ(tables.epilogue_steps[1].rounded_to, Dtype::kF16);
  EXPECT_EQ(tables.epilogue_steps[2].function, MapFunction::kGelu);
}

TEST(GemmTables, EpiloguesHaveFunctionsOfTheSumsAlone) {
  for (const MapFunction function : kAllMapFunctions)
    EXPECT_EQ(is_epilogue(function), function != MapFunction::kZero && function != MapFunction::kOne &&
                                         function != MapFunction::kGeluGrad && function != MapFunction::kGeluTanhGrad &&
                                         function != MapFunction::kSiluGrad && function != MapFunction::kReluGrad)
        << name(function);
}

}  // namespace
}  // namespace meshmul::cuda
