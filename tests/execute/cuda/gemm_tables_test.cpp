// Runs of products as tables: what each piece finds where.

#include "execute/cuda/gemm/gemm_tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "execute/cuda/gemm/tile_walk.hpp"

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
  const EpilogueStep scale{.function = MapFunction::kScale,
                           .operand = memory.bytes,
                           .row_stride = 64,
                           .column_stride = 1,
                           .dtype = Dtype::kBf16,
                           .rounded_to = Dtype::kBf16,
                           .num_waits = 3};
  const EpilogueStep gelu{.function = MapFunction::kGelu, .rounded_to = Dtype::kF16};
  const std::vector<Product> products{product({}), product({scale, gelu}), product({}), product({gelu})};
  EXPECT_TRUE(has_epilogue(products));
  EXPECT_FALSE(has_epilogue({products[0], products[2]}));
  const GemmTables tables =
      make_tables({.element = Dtype::kBf16}, products, {}, {.tile_n = 128, .cluster = 1, .rows_together = 1});
  ASSERT_EQ(tables.pieces.size(), 4U);
  ASSERT_EQ(tables.epilogue_steps.size(), 3U);
  const std::vector<std::int32_t> expected{0, 2, 0, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(tables.pieces[i].num_epilogue_steps, expected[i]);
    EXPECT_EQ(tables.pieces[i].num_terms, 0);
  }
  EXPECT_EQ(tables.pieces[1].first_epilogue_step, 0);
  EXPECT_EQ(tables.pieces[3].first_epilogue_step, 2);
  EXPECT_EQ(tables.epilogue_steps[0].function, MapFunction::kScale);
  EXPECT_EQ(tables.epilogue_steps[0].operand, memory.bytes);
  EXPECT_EQ(tables.epilogue_steps[0].num_waits, 3);
  EXPECT_EQ(tables.epilogue_steps[1].rounded_to, Dtype::kF16);
  EXPECT_EQ(tables.epilogue_steps[2].function, MapFunction::kGelu);
}

/// What the copy engine can load comes with the operands: terms of 16-bit floats with aligned rows, as many as stand
/// first; if terms come ahead of the product, all of these or none.
TEST(GemmTables, LoadTermsAsFarAsTheCopyEngineCan) {
  Memory memory;
  const auto tables_of = [&](std::vector<EpilogueStep> epilogue, std::int32_t ahead) {
    const Product product{.m = 64,
                          .n = 64,
                          .parts = {{.a = memory.bytes, .b = memory.bytes, .a_stride = 64, .b_stride = 64, .k = 64}},
                          .c = memory.bytes,
                          .c_stride = 64,
                          .row_groups = {},
                          .raises = {},
                          .epilogue = std::move(epilogue),
                          .num_terms_ahead = ahead};
    return make_tables({.element = Dtype::kBf16}, {product}, {}, {.tile_n = 128, .cluster = 1, .rows_together = 1});
  };
  const EpilogueStep term{.function = MapFunction::kAdd,
                          .operand = memory.bytes,
                          .row_stride = 64,
                          .column_stride = 1,
                          .dtype = Dtype::kBf16,
                          .num_waits = 3};
  EpilogueStep wide = term, rounding{.function = MapFunction::kConvert, .rounded_to = Dtype::kBf16};
  wide.dtype = Dtype::kF32;

  const GemmTables all = tables_of({rounding, term, term}, 0);
  ASSERT_EQ(all.terms.size(), 2U);
  EXPECT_EQ(all.terms[0].rounded_to, Dtype::kBf16);
  EXPECT_EQ(all.terms[1].rounded_to, Dtype::kF32);
  EXPECT_EQ(all.terms[1].num_waits, 3);
  EXPECT_EQ(all.maps[static_cast<std::size_t>(all.terms[0].map)].box_outer, kTileM);
  EXPECT_TRUE(all.epilogue_steps.empty());

  const GemmTables some = tables_of({term, term, wide}, 1);
  EXPECT_EQ(some.pieces[0].num_terms, 2);
  EXPECT_EQ(some.pieces[0].num_loaded_ahead, 1);
  EXPECT_EQ(some.pieces[0].num_terms_ahead, 0);
  EXPECT_EQ(some.pieces[0].num_epilogue_steps, 1);

  const GemmTables none = tables_of({term, wide, term}, 2);
  EXPECT_EQ(none.pieces[0].num_terms, 0);
  EXPECT_EQ(none.pieces[0].num_terms_ahead, 2);
  EXPECT_EQ(none.pieces[0].num_epilogue_steps, 3);
}

TEST(GemmTables, WalkAResultOfMoreElementsThan32BitsCount) {
  constexpr std::int64_t kM = 100'000, kN = 70'016;  // 7 x 10^9 elements
  Memory memory;
  const Product product{.m = kM,
                        .n = kN,
                        .parts = {{.a = memory.bytes, .b = memory.bytes, .a_stride = 64, .b_stride = 64, .k = 64}},
                        .c = memory.bytes,
                        .c_stride = kN,
                        .row_groups = {},
                        .raises = {}};
  const TileChoice choice{.tile_n = 128, .cluster = 2, .rows_together = 8};
  const GemmTables tables = make_tables({.element = Dtype::kBf16}, {product, product}, {}, choice);
  const std::int64_t tiles = divide_up(kM, 2 * kTileM) * divide_up(kN, choice.tile_n);
  EXPECT_EQ(tables.num_tiles, 2 * tiles);
  ASSERT_EQ(tables.pieces.size(), 2U);
  EXPECT_EQ(tables.pieces[1].first_tile, tiles);
  EXPECT_EQ(tables.pieces[1].c_row_stride, kN);
  GemmWork work;
  work.pieces = tables.pieces.data();
  work.num_pieces = 2;
  work.num_tiles = tables.num_tiles;
  std::int64_t found = 0, most_row = 0, most_column = 0;
  for (std::int32_t cluster = 0; cluster < 66; ++cluster)
    for (TileWalk walk(work, cluster, 66); walk.next(); ++found) {
      const std::int32_t row = walk.row(1, 2, kTileM), column = walk.column(choice.tile_n);
      ASSERT_TRUE(row >= kTileM && row < kM + kTileM && column >= 0 && column < kN) << row << ", " << column;
      most_row = std::max<std::int64_t>(most_row, row);
      most_column = std::max<std::int64_t>(most_column, column);
    }
  EXPECT_EQ(found, 2 * tiles);
  EXPECT_EQ(most_row, (divide_up(kM, 2 * kTileM) * 2 - 1) * kTileM);
  EXPECT_EQ(most_column, (divide_up(kN, choice.tile_n) - 1) * choice.tile_n);
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
