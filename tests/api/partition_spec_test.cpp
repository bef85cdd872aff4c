#include <gmock/gmock.h>

#include "meshmul/world.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::meshmul::testing::error_of;

const Mesh kMesh{{"X", 2}, {"Y", 3}, {"data", 4}};

TEST(PartitionSpec, TakesOneAxisSeveralOrNone) {
  const Sharding sharding = P("data", {"Y", "X"}, nullptr).resolve(kMesh, 3);
  EXPECT_EQ(sharding, (Sharding{{{2}, {1, 0}, {}}, {}}));
}

TEST(PartitionSpec, SortsUnreducedAxes) {
  EXPECT_EQ(P(nullptr).unreduced({"data", "X"}).resolve(kMesh, 1), (Sharding{{{}}, {0, 2}}));
}

TEST(PartitionSpec, DimensionsBeyondThoseGivenAreNotCut) {
  EXPECT_EQ(P("X").resolve(kMesh, 3), (Sharding{{{0}, {}, {}}, {}}));
  EXPECT_EQ(P().resolve(kMesh, 4), Sharding::replicated(4));
}

TEST(PartitionSpec, ErrorsNameTheAxis) {
  EXPECT_EQ(error_of([] { P("Z").resolve(kMesh, 1); }), "the mesh has no axis Z; its axes are X, Y, data");
  EXPECT_EQ(error_of([] { P("X", "X").resolve(kMesh, 2); }), "axis X is used twice in one sharding");
  EXPECT_EQ(error_of([] { P("X").unreduced({"X"}).resolve(kMesh, 1); }), "axis X is used twice in one sharding");
  EXPECT_EQ(error_of([] { P("X", nullptr).resolve(kMesh, 1); }),
            "a sharding of 2 dimensions was given for an array of 1");
}

}  // namespace
}  // namespace meshmul
