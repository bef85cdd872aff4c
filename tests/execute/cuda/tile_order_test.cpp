// The order of tiles: each one once, bands of rows one after another.

#include "execute/cuda/gemm/tile_order.hpp"

#include <gmock/gmock.h>

#include <set>
#include <utility>
#include <vector>

#include "execute/cuda/gemm/gemm_work.hpp"

namespace meshmul::cuda {
namespace {

using Place = std::pair<int, int>;

std::vector<Place> walk(const TileGrid& grid) {
  std::vector<Place> places;
  for (int i = 0; i < grid.num_tiles(); ++i) {
    const TilePlace place = tile_place(grid, i);
    places.emplace_back(place.row, place.column);
  }
  return places;
}

TEST(TileOrder, WalksBandsOfRowsColumnByColumn) {
  EXPECT_THAT(walk({.m_tiles = 3, .n_tiles = 2, .rows_together = 2}),
              testing::ElementsAre(Place{0, 0}, Place{1, 0}, Place{0, 1}, Place{1, 1}, Place{2, 0}, Place{2, 1}));
}

TEST(TileOrder, ComesToEachTileOnce) {
  for (int m = 1; m <= 9; ++m)
    for (int n = 1; n <= 7; ++n)
      for (int together = 1; together <= 10; ++together) {
        const std::vector<Place> places = walk({.m_tiles = m, .n_tiles = n, .rows_together = together});
        const std::set<Place> distinct(places.begin(), places.end());
        EXPECT_EQ(distinct.size(), static_cast<std::size_t>(m * n));
        EXPECT_EQ(*distinct.rbegin(), Place(m - 1, n - 1));
      }
}

TEST(WaitsOfRows, AreThoseOfAllGroupsThatTheRowsTouch) {
  const RowGroup groups[] = {{5, 1}, {5, 4}, {130, 2}, {194, 3}};  // the second one is empty
  const auto waits = [&](int begin, int end) { return waits_of_rows(groups, 4, begin, end); };
  EXPECT_EQ(waits(0, 5), 1);
  EXPECT_EQ(waits(4, 6), 2);
  EXPECT_EQ(waits(5, 130), 2);
  EXPECT_EQ(waits(0, 128), 2);
  EXPECT_EQ(waits(128, 256), 3);
  EXPECT_EQ(waits(130, 131), 3);
  EXPECT_EQ(waits(194, 300), 0);
  EXPECT_EQ(waits_of_rows(groups, 0, 0, 128), 0);
}

}  // namespace
}  // namespace meshmul::cuda
