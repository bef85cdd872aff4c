#include "verify/values.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>

namespace meshmul::verification {
namespace {

Value::Sum in(TermSets& terms) {
  return [&terms](const Piece& a, const Piece& b) { return sum(a, b, terms); };
}

Placement at(int tensor, std::int64_t rows, std::int64_t columns) {
  Placement placement;
  placement.tensor = tensor;
  placement.dims = {0, 1};
  placement.offsets = {rows, columns};
  return placement;
}

TEST(Values, PiecesOfOneArrayGrowTogether) {
  Value value;
  value.assign({Box{{0, 2}, {0, 3}}, at(0, 4, 0), 1});
  value.assign({Box{{4, 6}, {0, 3}}, at(0, 4, 0), 1});
  EXPECT_EQ(value.pieces().size(), 2U);
  value.assign({Box{{2, 4}, {0, 3}}, at(0, 4, 0), 1});
  ASSERT_EQ(value.pieces().size(), 1U);
  EXPECT_EQ(value.pieces()[0].box, (Box{{0, 6}, {0, 3}}));
  EXPECT_EQ(tensor_box(value.pieces()[0]), (Box{{4, 10}, {0, 3}}));
}

TEST(Values, PiecesThatDifferStayApart) {
  Value value;
  value.assign({Box{{0, 2}, {0, 3}}, at(0, 4, 0), 1});
  value.assign({Box{{2, 4}, {0, 3}}, at(0, 5, 0), 1});  // shifted
  value.assign({Box{{4, 6}, {0, 3}}, at(0, 5, 0), 2});  // other terms
  value.assign({Box{{6, 8}, {0, 3}}, at(1, 5, 0), 2});  // another tensor
  EXPECT_EQ(value.pieces().size(), 4U);
}

TEST(Values, WhatIsUndefinedIsFound) {
  Value value;
  EXPECT_EQ(value.undefined_part(Box{{0, 2}, {0, 3}}), (Box{{0, 2}, {0, 3}}));
  value.assign({Box{{0, 2}, {0, 2}}, at(0, 0, 0), 1});
  EXPECT_EQ(value.undefined_part(Box{{0, 2}, {0, 3}}), (Box{{0, 2}, {2, 3}}));
  EXPECT_EQ(value.undefined_part(Box{{0, 2}, {1, 2}}), std::nullopt);
  EXPECT_EQ(value.undefined_part(Box{{5, 5}, {0, 3}}), std::nullopt);
}

TEST(Values, AMovedPieceKeepsItsElements) {
  const Box src{{2, 6}, {0, 3}};
  const Box dst{{10, 13}, {1, 5}};
  const Piece piece{Box{{3, 5}, {1, 3}}, at(0, 100, 200), 1};
  const int transposed[] = {1, 0};
  const Piece result = moved(piece, src, dst, transposed);
  EXPECT_EQ(result.box, (Box{{11, 13}, {2, 4}}));
  EXPECT_EQ(result.placement.dims[0], 1);
  EXPECT_EQ(result.placement.dims[1], 0);
  EXPECT_EQ(tensor_box(result), tensor_box(piece));
  EXPECT_EQ(tensor_box(result), (Box{{103, 105}, {201, 203}}));
}

TEST(Values, AddingMeetsOldPiecesOneByOne) {
  TermSets terms;
  const int left = terms.intern({Box{{0, 2}}});
  const int right = terms.intern({Box{{2, 4}}});
  Value value;
  value.assign({Box{{0, 4}, {0, 3}}, {}, TermSets::kNone});
  EXPECT_FALSE(value.add({Box{{0, 2}, {0, 3}}, at(0, 0, 0), left}, in(terms)));
  EXPECT_FALSE(value.add({Box{{1, 4}, {0, 3}}, at(0, 0, 0), right}, in(terms)));
  std::map<std::int64_t, int> terms_of_row;
  for (const Piece& piece : value.pieces())
    for (std::int64_t row = piece.box[0].begin; row < piece.box[0].end; ++row) terms_of_row[row] = piece.terms;
  EXPECT_EQ(terms_of_row,
            (std::map<std::int64_t, int>{{0, left}, {1, *terms.add(left, right)}, {2, right}, {3, right}}));

  const auto clash = value.add({Box{{0, 1}, {1, 2}}, at(0, 0, 0), left}, in(terms));
  ASSERT_TRUE(clash);
  EXPECT_EQ(clash->before.box, (Box{{0, 1}, {1, 2}}));
  EXPECT_TRUE(value.add({Box{{3, 4}, {1, 2}}, at(0, 1, 0), left}, in(terms))) << "other elements";
}

TEST(Values, ZerosAddNothingAndFaultyValuesSpread) {
  TermSets terms;
  const int all = terms.intern({Box{}});
  Placement faulty;
  faulty.tensor = kFaulty;
  Value value;
  value.assign({Box{{0, 2}, {0, 3}}, at(0, 0, 0), all});
  EXPECT_FALSE(value.add({Box{{0, 2}, {0, 3}}, {}, TermSets::kNone}, in(terms)));
  EXPECT_EQ(value.pieces()[0].terms, all);
  EXPECT_FALSE(value.add({Box{{0, 2}, {0, 3}}, faulty, TermSets::kNone}, in(terms)));
  EXPECT_EQ(value.pieces()[0].placement.tensor, kFaulty);
}

TEST(Values, AgreeWithAGridOfElements) {
  std::mt19937 random(5);
  const auto below = [&](int limit) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 200 / MESHMUL_RANDOM_CASE_DIVISOR; ++round) {
    Value value;
    std::map<std::pair<std::int64_t, std::int64_t>, int> grid;  // to terms
    for (int step = 0; step < 15; ++step) {
      const std::int64_t i = below(6);
      const std::int64_t j = below(6);
      const Box box{{i, i + below(4)}, {j, j + 1 + below(3)}};
      const int terms = static_cast<int>(below(3));
      value.assign({box, at(0, 0, 0), terms});
      for (std::int64_t row = box[0].begin; row < box[0].end; ++row)
        for (std::int64_t column = box[1].begin; column < box[1].end; ++column) grid[{row, column}] = terms;
    }
    std::size_t elements = 0;
    for (const Piece& piece : value.pieces()) {
      elements += static_cast<std::size_t>(piece.box.num_elements());
      for (std::int64_t row = piece.box[0].begin; row < piece.box[0].end; ++row)
        for (std::int64_t column = piece.box[1].begin; column < piece.box[1].end; ++column)
          ASSERT_EQ((grid.at({row, column})), piece.terms);
    }
    ASSERT_EQ(elements, grid.size());
  }
}

}  // namespace
}  // namespace meshmul::verification
