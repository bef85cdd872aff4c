#include "schedule/collectives/cut.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

TEST(EvenPart, CutsTheFirstDimensionThatIsLongEnough) {
  const Box box{{4, 6}, {1, 10}};
  EXPECT_EQ(even_part(box, 4, 0), (Box{{4, 6}, {1, 4}}));
  EXPECT_EQ(even_part(box, 4, 2), (Box{{4, 6}, {7, 10}}));
  EXPECT_TRUE(even_part(box, 4, 3).empty());
  EXPECT_EQ(even_part(box, 2, 1), (Box{{5, 6}, {1, 10}}));
}

TEST(DimToCut, IsTheFirstThatIsLongEnoughElseTheLongest) {
  EXPECT_EQ(dim_to_cut(Box{{0, 2}, {0, 9}, {0, 9}}, 3), 1);
  EXPECT_EQ(dim_to_cut(Box{{0, 2}, {0, 4}, {0, 9}}, 10), 2);
}

TEST(EvenPart, CutsTheLongestIfNoneIsLongEnough) {
  EXPECT_EQ(even_part(Box{{0, 2}, {0, 3}}, 5, 2), (Box{{0, 2}, {2, 3}}));
  EXPECT_TRUE(even_part(Box{{0, 2}, {0, 3}}, 5, 3).empty());
}

TEST(Merged, NeighboursThatMakeUpABoxBecomeOne) {
  EXPECT_THAT(merged({Box{{0, 2}, {0, 1}}, Box{{0, 2}, {1, 3}}, Box{{2, 4}, {0, 3}}}),
              ElementsAre(Box{{0, 4}, {0, 3}}));
  EXPECT_THAT(merged({Box{{4, 6}}, Box{{0, 4}}}), ElementsAre(Box{{0, 6}}));
}

TEST(Merged, OthersStay) {
  const Box left{{0, 2}, {0, 1}};
  const Box corner{{2, 4}, {1, 2}};
  const Box apart{{0, 2}, {2, 3}};
  EXPECT_THAT(merged({left, corner, apart}), ElementsAre(left, corner, apart));
  EXPECT_THAT(merged({}), ElementsAre());
}

TEST(ReductionGroups, AxesThatDoNotCutTheResultShareTheWork) {
  const Mesh mesh{{"X", 2}, {"Y", 2}, {"Z", 2}};
  const ReductionGroups groups =
      reduction_groups(parse_array("A[I=8, J=8]{U_XYZ}", mesh), parse_array("A[I=8, J=8_Y]{U_Z}", mesh));
  EXPECT_THAT(groups.summed, ElementsAre(0, 1));
  EXPECT_THAT(groups.replicated, ElementsAre(0));
}

TEST(ReductionGroups, AScalarIsAddedUpByEverybody) {
  const Mesh mesh{{"X", 2}};
  const ReductionGroups groups = reduction_groups(parse_array("A[]{U_X}", mesh), parse_array("A[]", mesh));
  EXPECT_THAT(groups.summed, ElementsAre(0));
  EXPECT_THAT(groups.replicated, ElementsAre());
}

}  // namespace
}  // namespace meshmul
