#include "plan/packed_sharding.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

TEST(PackedSharding, AMatrixHas3And11And49And261) {
  std::vector<std::size_t> counts;
  for (unsigned axes = 0; axes <= 4; ++axes) counts.push_back(all_shardings(2, (1U << axes) - 1U, 0).size());
  EXPECT_THAT(counts, ElementsAre(1, 3, 11, 49, 261));
}

TEST(PackedSharding, AxesThatMayBeUnreducedAddStates) {
  EXPECT_EQ(all_shardings(2, 1, 1).size(), 4);
  EXPECT_EQ(all_shardings(2, 3, 1).size(), 11 + 3);
  EXPECT_EQ(all_shardings(2, 7, 7).size(), 49 + 3 * 11 + 3 * 3 + 1);
}

TEST(PackedSharding, AllAreDifferentAndSortedByUnreducedAxesFirst) {
  const std::vector<PackedSharding> shardings = all_shardings(3, 7, 7);
  for (std::size_t i = 1; i < shardings.size(); ++i) {
    EXPECT_LT(shardings[i - 1], shardings[i]);
    EXPECT_LE(shardings[i - 1].unreduced, shardings[i].unreduced);
  }
}

TEST(PackedSharding, UnpackingGivesBackWhatWasPacked) {
  const Mesh mesh{{"Z", 2}, {"Y", 3}, {"X", 5}};
  const AxisNumbering axes(mesh);
  for (const PackedSharding& packed : all_shardings(2, axes.all(), axes.all())) {
    const Sharding sharding = axes.unpack(packed, 2);
    EXPECT_EQ(axes.pack(sharding), packed);
    EXPECT_TRUE(std::is_sorted(sharding.unreduced.begin(), sharding.unreduced.end()));
  }
}

TEST(PackedSharding, AxesAreMajorToMinor) {
  const Mesh mesh{{"X", 2}, {"Y", 3}, {"Z", 5}};
  const AxisNumbering axes(mesh);
  const PackedSharding packed = axes.pack({{{2, 0, 1}, {}}, {}});
  EXPECT_EQ(packed.dims[0].order, 0x31200000U);
  EXPECT_EQ(packed.dims[0].major_sets, 0x0707'0707'0705'0400U);
  EXPECT_EQ(packed.dims[0].set(), 7U);
  EXPECT_EQ(packed.dims[0].num_axes(), 3);
  EXPECT_EQ(packed.cut, 7U);
}

TEST(PackedSharding, DimensionsShareTheirMajorAxesUpToTheFirstThatDiffers) {
  const Mesh mesh{{"X", 2}, {"Y", 3}, {"Z", 5}};
  const AxisNumbering axes(mesh);
  const auto not_shared = [&](std::vector<int> a, std::vector<int> b) {
    return axes.pack({{std::move(a)}, {}}).dims[0].not_shared_with(axes.pack({{std::move(b)}, {}}).dims[0]);
  };
  EXPECT_EQ(not_shared({2, 0, 1}, {2, 1, 0}), 3U);
  EXPECT_EQ(not_shared({2, 0, 1}, {2, 0}), 2U);
  EXPECT_EQ(not_shared({2, 0}, {2, 0, 1}), 0U);
  EXPECT_EQ(not_shared({2, 0, 1}, {2, 0, 1}), 0U);
  EXPECT_EQ(not_shared({2, 0, 1}, {}), 7U);
}

TEST(PackedSharding, AxesAreNumberedByNameAndThoseOfSize1AreLeftOut) {
  const Mesh mesh{{"b", 2}, {"one", 1}, {"a", 3}};
  const AxisNumbering axes(mesh);
  EXPECT_THAT(axes.sizes(), ElementsAre(3, 2));
  EXPECT_EQ(axes.size(axes.all()), 6);
  EXPECT_THAT(axes.unpack(axes.all()), ElementsAre(0, 2));
  const PackedSharding packed = axes.pack({{{0, 1}, {2}}, {}});
  EXPECT_EQ(axes.unpack(packed, 2), (Sharding{{{0}, {2}}, {}}));
}

TEST(PackedSharding, WhatCannotBePackedIsRefused) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const Mesh mesh{{"X", 2}};
  EXPECT_EQ(message([&] { AxisNumbering(mesh).pack({{{0}, {0}}, {}}); }),
            "a sharding uses mesh axis number 0 twice, or the mesh has no such axis");
  EXPECT_EQ(message([&] { AxisNumbering(mesh).pack({{{1}}, {}}); }),
            "a sharding uses mesh axis number 1 twice, or the mesh has no such axis");
  const Mesh large{{"A", 2}, {"B", 2}, {"C", 2}, {"D", 2}, {"E", 2}, {"F", 2}, {"G", 2}};
  EXPECT_EQ(message([&] { AxisNumbering axes(large); }),
            "the mesh A=2,B=2,C=2,D=2,E=2,F=2,G=2 has 7 axes longer than 1; planning takes at most 6");
}

}  // namespace
}  // namespace meshmul
