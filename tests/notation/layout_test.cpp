#include "meshmul/layout.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

ArrayType vector_over(std::int64_t size, std::vector<int> axes) {
  return {"A", Dtype::kF32, {{"I", size}}, {{std::move(axes)}, {}}, false};
}

std::vector<std::int64_t> shard_sizes(const ArrayType& type, const Mesh& mesh) {
  std::vector<std::int64_t> sizes;
  for (int device = 0; device < mesh.num_devices(); ++device)
    sizes.push_back(local_interval(type, mesh, device, 0).size());
  return sizes;
}

TEST(Layout, LastBlocksAreShort) {
  EXPECT_THAT(shard_sizes(vector_over(10, {0}), {{"X", 4}}), ElementsAre(3, 3, 3, 1));
}

TEST(Layout, BlocksOfTwoAxesAreNested) {
  EXPECT_THAT(shard_sizes(vector_over(9, {0, 1}), {{"X", 2}, {"Y", 2}}), ElementsAre(3, 2, 2, 2));
}

TEST(Layout, MoreDevicesThanElementsLeaveEmptyShards) {
  EXPECT_THAT(shard_sizes(vector_over(2, {0}), {{"X", 4}}), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(shard_sizes(vector_over(0, {0}), {{"X", 2}}), ElementsAre(0, 0));
}

TEST(Layout, AxesAreMajorToMinor) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  const int device = mesh.device({0, 1});
  EXPECT_EQ(local_interval(vector_over(8, {0, 1}), mesh, device, 0), (Interval{2, 4}));
  EXPECT_EQ(local_interval(vector_over(8, {1, 0}), mesh, device, 0), (Interval{4, 6}));
}

TEST(Layout, GatheringTheMinorAxisGivesTheMajorBlock) {
  const Mesh mesh{{"X", 3}, {"Y", 4}};
  for (std::int64_t size = 0; size < 40; ++size) {
    const ArrayType fine = vector_over(size, {0, 1});
    const ArrayType coarse = vector_over(size, {0});
    for (int x = 0; x < 3; ++x) {
      const Interval whole = local_interval(coarse, mesh, mesh.device({x, 0}), 0);
      std::int64_t next = whole.begin;
      for (int y = 0; y < 4; ++y) {
        const Interval part = local_interval(fine, mesh, mesh.device({x, y}), 0);
        EXPECT_EQ(part.begin, next);
        next = part.end;
      }
      EXPECT_EQ(next, whole.end);
    }
  }
}

TEST(Layout, DeviceZeroHoldsTheLargestShard) {
  const Mesh mesh{{"X", 3}, {"Y", 2}};
  for (std::int64_t size = 0; size < 30; ++size) {
    const ArrayType type = vector_over(size, {1, 0});
    for (int device = 0; device < mesh.num_devices(); ++device)
      EXPECT_LE(local_shape(type, mesh, device)[0], max_local_shape(type, mesh)[0]);
  }
}

TEST(Layout, IndexMapsAreInverse) {
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  const ArrayType type{"A", Dtype::kF32, {{"I", 7}, {"J", 5}}, {{{1}, {0}}, {}}, false};
  for (std::int64_t i = 0; i < 7; ++i)
    for (std::int64_t j = 0; j < 5; ++j) {
      int holders = 0;
      for (int device = 0; device < mesh.num_devices(); ++device) {
        const auto local = global_to_local(type, mesh, device, {i, j});
        if (!local) continue;
        ++holders;
        EXPECT_THAT(local_to_global(type, mesh, device, *local), ElementsAre(i, j));
      }
      EXPECT_EQ(holders, 1);
    }
}

TEST(Layout, PartialSumsDoNotDivideTheBytes) {
  const Mesh mesh{{"X", 4}};
  const ArrayType type{"A", Dtype::kBf16, {{"I", 8}}, {{{}}, {0}}, false};
  EXPECT_EQ(max_local_bytes(type, mesh), 16);
}

}  // namespace
}  // namespace meshmul
