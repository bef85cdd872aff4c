#include "meshmul/collectives.hpp"
#include "meshmul/error.hpp"
#include "schedule/expect_all_right.hpp"
#include "support/error_of.hpp"

namespace meshmul::testing {
namespace {

using testing::message_of;

/// Every rank must end with the shard of rank `partner(rank)`, on every backend.
void expect_shards_of(const Schedule& schedule, const std::function<int(int)>& partner) {
  const ArrayType& type = output(single_statement(schedule.contract));
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    EXPECT_EQ(schedule.contract.outputs[static_cast<std::size_t>(rank)].global,
              local_box(type, schedule.contract.mesh, partner(rank)));
  for (const Capabilities& available : all_capabilities()) {
    const Schedule legal = legalize(schedule, available);
    expect_proven(legal);
    expect_right_numbers(legal);
  }
}

TEST(NeighbourExchange, PairsSwapAndALastOddRankKeepsItsOwn) {
  for (int size = 1; size <= 6; ++size) {
    const Mesh mesh{{"X", size}};
    const ArrayType type = parse_array("bf16 A[I=13_X, J=3]", mesh);
    expect_shards_of(build_exchange(Exchange::kPairs, type, mesh, 0),
                     [&](int rank) { return (rank ^ 1) < size ? rank ^ 1 : rank; });
  }
}

TEST(NeighbourExchange, PairsSwapAlongOneOfSeveralAxes) {
  const Mesh mesh{{"X", 2}, {"Y", 3}, {"Z", 2}};
  const ArrayType type = parse_array("f32 A[I=5_XY, J=4_Z]", mesh);
  for (int axis = 0; axis < 3; ++axis)
    expect_shards_of(build_exchange(Exchange::kPairs, type, mesh, axis), [&](int rank) {
      const int partner = mesh.coordinate(rank, axis) ^ 1;
      return partner < mesh.size(axis) ? mesh.with_coordinate(rank, axis, partner) : rank;
    });
}

TEST(NeighbourExchange, AShiftGoesEitherWayRoundTheEnd) {
  const Mesh mesh{{"X", 5}};
  const ArrayType type = parse_array("f32 A[J=2, I=11_X]", mesh);
  for (int distance = -7; distance <= 7; ++distance)
    expect_shards_of(build_exchange(Exchange::kShift, type, mesh, 0, distance),
                     [&](int rank) { return ((rank - distance) % 5 + 5) % 5; });
}

TEST(NeighbourExchange, AReplicatedArrayMayBeShifted) {
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  expect_shards_of(build_exchange(Exchange::kShift, parse_array("f32 A[I=4_X]", mesh), mesh, 1, 1),
                   [](int rank) { return rank; });
}

TEST(NeighbourExchange, SaysWhatItCannotDo) {
  const Mesh mesh{{"X", 4}};
  EXPECT_EQ(message_of([&] { build_exchange(Exchange::kShift, parse_array("A[I=8_X]", mesh), mesh, 1); }),
            "the mesh X=4 has 1 axes; there is no axis number 1");
  EXPECT_EQ(message_of([&] { build_exchange(Exchange::kPairs, parse_array("A[I=8]{U_X}", mesh), mesh, 0); }),
            "f32 A[I=8]{U_X} holds partial sums; neighbours exchange complete arrays");
  EXPECT_EQ(message_of([&] { build_exchange(Exchange::kPairs, parse_array("A[I_X]", mesh), mesh, 0); }),
            "index I has no size; write I=SIZE once");
}

}  // namespace
}  // namespace meshmul::testing
