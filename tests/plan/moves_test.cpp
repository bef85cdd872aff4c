#include "plan/moves.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "meshmul/layout.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 2}, {"Y", 3}, {"Z", 2}};

/// `AllGather XY`: kind, and the axes along which data travels; `none` if there is no single move.
std::string move_between(const std::string& from_text, const std::string& to_text) {
  const AxisNumbering axes(kMesh);
  const ArrayType from = parse_array(from_text, kMesh);
  const ArrayType to = parse_array(to_text, kMesh);
  const auto found = transition(axes.pack(from.sharding), axes.pack(to.sharding), from.num_dims());
  if (!found) return "none";
  std::string text(name(found->kind));
  if (found->travelled != 0) text += ' ';
  for (const int axis : axes.unpack(found->travelled)) text += kMesh.name(axis);
  return text;
}

TEST(Moves, SliceAddsMinorAxesAndMovesNothing) {
  EXPECT_EQ(move_between("A[I, J]", "A[I_X, J]"), "Slice");
  EXPECT_EQ(move_between("A[I_X, J]", "A[I_XYZ, J]"), "Slice");
  EXPECT_EQ(move_between("A[I_X, J]", "A[I_XZ, J_Y]"), "Slice");
  EXPECT_EQ(move_between("A[I_X, J]", "A[I_YX, J]"), "Redistribute X");
}

TEST(Moves, AllGatherRemovesMinorAxesOfOneOrSeveralDimensions) {
  EXPECT_EQ(move_between("A[I_X, J]", "A[I, J]"), "AllGather X");
  EXPECT_EQ(move_between("A[I_XY, J]", "A[I_X, J]"), "AllGather Y");
  EXPECT_EQ(move_between("A[I_XY, J_Z]", "A[I_X, J]"), "AllGather YZ");
  EXPECT_EQ(move_between("A[I_XY, J]{U_Z}", "A[I_X, J]{U_Z}"), "AllGather Y");
  EXPECT_EQ(move_between("A[I_XY, J]", "A[I_Y, J]"), "Redistribute XY");
}

TEST(Moves, AllToAllMovesAxesToOtherDimensions) {
  EXPECT_EQ(move_between("A[I_X, J]", "A[I, J_X]"), "AllToAll X");
  EXPECT_EQ(move_between("A[I_XY, J]", "A[I, J_YX]"), "AllToAll XY");
  EXPECT_EQ(move_between("A[I_XY, J_Z]", "A[I_X, J_ZY]"), "AllToAll Y");
  EXPECT_EQ(move_between("A[I_X, J_Y]", "A[I_Y, J_X]"), "Redistribute XY");
  EXPECT_EQ(move_between("A[I_XY, J]", "A[I_X, J]"), "AllGather Y");
  EXPECT_EQ(move_between("A[I_XY, J]", "A[I_Y, J_X]"), "Redistribute XY");
}

TEST(Moves, ReductionsRemoveUnreducedAxes) {
  EXPECT_EQ(move_between("A[I, J]{U_X}", "A[I, J]"), "AllReduce X");
  EXPECT_EQ(move_between("A[I, J]{U_XY}", "A[I, J]{U_Y}"), "AllReduce X");
  EXPECT_EQ(move_between("A[I_Z, J]{U_XY}", "A[I_ZX, J_Y]"), "ReduceScatter XY");
  EXPECT_EQ(move_between("A[I_Z, J]{U_X}", "A[I_XZ, J]"), "none");
  EXPECT_EQ(move_between("A[I, J]{U_XY}", "A[I, J_X]"), "none");
  EXPECT_EQ(move_between("A[I_Z, J]{U_X}", "A[I, J]"), "none");
  EXPECT_EQ(move_between("A[I, J]{U_X}", "A[I_Y, J]"), "none");
}

TEST(Moves, UnreduceAddsUnreducedAxes) {
  EXPECT_EQ(move_between("A[I, J]", "A[I, J]{U_X}"), "Unreduce");
  EXPECT_EQ(move_between("A[I_X, J]", "A[I, J]{U_X}"), "none");
  EXPECT_EQ(move_between("A[I, J]{U_X}", "A[I, J]{U_Y}"), "none");
}

TEST(Moves, ARedistributeTravelsAlongTheAxesThatDimensionsLose) {
  EXPECT_EQ(move_between("A[I_X, J]", "A[I_Y, J]"), "Redistribute X");
  EXPECT_EQ(move_between("A[I_ZX, J]", "A[I_ZY, J]"), "Redistribute X");
  EXPECT_EQ(move_between("A[I_X, J]", "A[I_X, J]"), "none");
}

TEST(Moves, ARedistributeOfEqualBlocksIsAPermute) {
  const auto equal = [](const std::string& from, const std::string& to) {
    return have_equal_blocks(parse_array(from, kMesh), parse_array(to, kMesh), kMesh);
  };
  EXPECT_TRUE(equal("A[I=12_XZ]", "A[I=12_ZX]"));
  EXPECT_TRUE(equal("A[I=12_XY]", "A[I=12_YX]"));
  EXPECT_FALSE(equal("A[I=9_XY]", "A[I=9_YX]"));
  EXPECT_TRUE(equal("A[I=12_X, J=5]", "A[I=12_Z, J=5]"));
  EXPECT_FALSE(equal("A[I=12_X, J=5]", "A[I=12_Y, J=5]"));
}

/// The cells that the devices of each group along `axes` hold together.
std::vector<std::map<std::vector<std::int64_t>, int>> cells_by_group(const ArrayType& type,
                                                                     const std::vector<int>& axes) {
  std::vector<std::map<std::vector<std::int64_t>, int>> groups;
  for (int device = 0; device < kMesh.num_devices(); ++device) {
    if (kMesh.group_index(device, axes) != 0) continue;
    auto& cells = groups.emplace_back();
    for (const int member : kMesh.group(device, axes)) {
      const Box box = local_box(type, kMesh, member);
      for (std::int64_t i = box[0].begin; i < box[0].end; ++i)
        for (std::int64_t j = box[1].begin; j < box[1].end; ++j) ++cells[{i, j}];
    }
  }
  return groups;
}

bool holds_part_of_what_it_held(const ArrayType& from, const ArrayType& to) {
  for (int device = 0; device < kMesh.num_devices(); ++device)
    if (!local_box(from, kMesh, device).contains(local_box(to, kMesh, device))) return false;
  return true;
}

// What each kind promises about boxes, for every pair of shardings of a matrix whose sizes divide nothing.
TEST(Moves, EveryKindKeepsItsPromiseWithUnevenSizes) {
  const AxisNumbering axes(kMesh);
  const ArrayType array = parse_array("A[I=7, J=5]", kMesh);
  const auto type = [&](const PackedSharding& packed) {
    ArrayType sharded = array;
    sharded.sharding = axes.unpack(packed, 2);
    return sharded;
  };
  const std::vector<PackedSharding> all = all_shardings(2, axes.all(), 0);
  std::mt19937 random(7);
  std::map<MoveKind, int> seen;
  for (int i = 0; i < 600; ++i) {
    const PackedSharding& before = all[random() % all.size()];
    const PackedSharding& after = all[random() % all.size()];
    const auto found = transition(before, after, 2);
    ASSERT_EQ(found.has_value(), before != after);
    if (!found) continue;
    ++seen[found->kind];
    const ArrayType from = type(before);
    const ArrayType to = type(after);
    const std::vector<int> travelled = axes.unpack(found->travelled);
    const bool slices = found->kind == MoveKind::kSlice;
    const bool gathers = found->kind == MoveKind::kAllGather;
    const bool exchanges = found->kind == MoveKind::kAllToAll;
    EXPECT_TRUE(!slices || holds_part_of_what_it_held(from, to));
    EXPECT_TRUE(!gathers || holds_part_of_what_it_held(to, from));
    EXPECT_TRUE(!exchanges || cells_by_group(from, travelled) == cells_by_group(to, travelled));
    // Whatever a device gets lies with a device of its group along the axes that data travels.
    const auto sources = cells_by_group(from, travelled);
    const auto targets = cells_by_group(to, travelled);
    for (std::size_t group = 0; group < sources.size(); ++group)
      for (const auto& [cell, count] : targets[group]) EXPECT_TRUE(sources[group].contains(cell));
  }
  EXPECT_EQ(seen.size(), 4);
}

TEST(Moves, AReduceScatterLeavesEachDeviceAPartOfItsPartialSums) {
  const ArrayType from = parse_array("A[I=7_Z, J=5]{U_XY}", kMesh);
  const ArrayType to = parse_array("A[I=7_ZY, J=5_X]", kMesh);
  EXPECT_TRUE(holds_part_of_what_it_held(from, to));
  for (const auto& group : cells_by_group(to, {0, 1}))
    for (const auto& [cell, count] : group) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace meshmul
