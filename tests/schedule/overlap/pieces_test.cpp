#include "schedule/overlap/pieces.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Mesh kMesh{{"X", 2}, {"Y", 2}};

TEST(CutAlong, GivesPartsThatAreNotEmpty) {
  EXPECT_THAT(cut_along(Box{{2, 7}, {0, 3}}, 0, 2), ElementsAre(Box{{2, 5}, {0, 3}}, Box{{5, 7}, {0, 3}}));
  EXPECT_THAT(cut_along(Box{{2, 7}, {0, 3}}, 1, 8), ::testing::SizeIs(3));
  EXPECT_THAT(cut_along(Box{{2, 2}, {0, 3}}, 1, 2), IsEmpty());
}

TEST(CutInRounds, TheLastRoundIsShort) {
  EXPECT_THAT(cut_in_rounds(Box{{2, 7}, {0, 3}}, 0, 2),
              ElementsAre(Box{{2, 4}, {0, 3}}, Box{{4, 6}, {0, 3}}, Box{{6, 7}, {0, 3}}));
  EXPECT_THAT(cut_in_rounds(Box{{2, 7}, {0, 3}}, 0, 100), ElementsAre(Box{{2, 7}, {0, 3}}));
  EXPECT_THAT(cut_in_rounds(Box{{2, 7}, {0, 0}}, 0, 2), IsEmpty());
}

TEST(MovingDim, IsTheFirstThatIsCutOtherwise) {
  const auto dim = [](std::string_view from, std::string_view to) {
    return moving_dim(parse_array(from, kMesh), parse_array(to, kMesh));
  };
  EXPECT_EQ(dim("A[I=4_X, J=4]", "A[I=4, J=4]"), 0);
  EXPECT_EQ(dim("A[I=4_X, J=4_Y]", "A[I=4_X, J=4]"), 1);
  EXPECT_EQ(dim("A[I=4_X, J=4]", "A[I=4, J=4_X]"), 0);
}

TEST(WholeShards, AreOnePieceARank) {
  ScheduleBuilder builder(kMesh);
  const PlacedArray array = place(builder, "A", parse_array("A[I=5_XY, J=2]", kMesh));
  const Pieces pieces = whole_shards(array);
  ASSERT_EQ(pieces.size(), 4U);
  ASSERT_EQ(pieces[1].size(), 1U);
  EXPECT_EQ(pieces[1].front().part, array.held(1));
  EXPECT_EQ(pieces[1].front().where, array.region(1));
  const Piece part = part_of(pieces[1].front(), Box{{2, 3}, {1, 2}});
  EXPECT_EQ(part.part, (Box{{2, 3}, {1, 2}}));
  EXPECT_EQ(part.where, (Region{1, array.buffer, Box{{0, 1}, {1, 2}}}));
}

}  // namespace
}  // namespace meshmul
