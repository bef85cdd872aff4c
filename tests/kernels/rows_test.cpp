#include "kernels/rows.hpp"

#include <gmock/gmock.h>

#include <set>

#include "test_array.hpp"

namespace meshmul {
namespace {

ConstView view(std::initializer_list<std::int64_t> extents, std::initializer_list<std::int64_t> strides) {
  ConstView view;
  view.num_dims = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), view.extents.begin());
  std::copy(strides.begin(), strides.end(), view.strides.begin());
  return view;
}

TEST(Rows, merge_dimensions_that_are_contiguous_in_every_operand) {
  const Loops whole = make_loops({view({2, 3, 4}, {12, 4, 1}), view({2, 3, 4}, {12, 4, 1})});
  EXPECT_EQ(whole.num_dims, 1);
  EXPECT_EQ(whole.row().extent, 24);
  const Loops gap_in_source = make_loops({view({2, 3, 4}, {12, 4, 1}), view({2, 3, 4}, {15, 5, 1})});
  EXPECT_EQ(gap_in_source.num_dims, 2);  // 6 rows of 4
  EXPECT_EQ(gap_in_source.row().extent, 4);
  EXPECT_FALSE(gap_in_source.crossed);
}

TEST(Rows, drop_single_elements_and_follow_the_destination) {
  const Loops column = make_loops({view({5, 1}, {7, 1}), view({5, 1}, {1, 1})});
  EXPECT_EQ(column.num_dims, 1);
  EXPECT_EQ(column.row().strides[0], 7);
  const Loops turned = make_loops({view({4, 5}, {1, 4}), view({4, 5}, {5, 1})});  // the destination is transposed
  EXPECT_EQ(turned.row().strides[0], 1);
  EXPECT_TRUE(turned.crossed);
  const Loops scalar = make_loops({view({}, {}), view({}, {})});
  EXPECT_EQ(scalar.num_dims, 1);
  EXPECT_EQ(scalar.row().extent, 1);
}

TEST(Rows, cover_every_element_once_in_rows_and_in_tiles) {
  for (const std::int64_t columns : {1, 15, 16, 17, 40}) {
    const Loops loops = make_loops({view({3, 290, columns}, {290 * columns, columns, 1}),  //
                                    view({3, 290, columns}, {1, 3, 870})});
    std::set<std::int64_t> seen;
    const auto visit = [&](std::int64_t offset) { EXPECT_TRUE(seen.insert(offset).second); };
    for_each_row(loops, [&](const Offsets& offsets, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) visit(offsets[0] + i * loops.row().strides[0]);
    });
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(870 * columns));
    if (!loops.crossed) continue;
    seen.clear();
    for_each_tile(loops, 16, [&](const Offsets& offsets, std::int64_t rows, std::int64_t tile_columns) {
      EXPECT_LE(rows, 16);
      EXPECT_LE(tile_columns, 16);
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < tile_columns; ++j)
          visit(advanced(advanced(offsets, loops.across(), i), loops.row(), j)[0]);
    });
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(870 * columns));
  }
}

TEST(Rows, are_none_if_a_dimension_is_empty) {
  const Loops loops = make_loops({view({3, 0}, {1, 1}), view({3, 0}, {1, 1})});
  for_each_row(loops, [](const Offsets&, std::int64_t) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace meshmul
