#include "schedule/overlap/push.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 3}};

// Shards of 4, 4 and 2 rows, pushed two rows at a time.
struct Pushed {
  ScheduleBuilder builder{kMesh};
  PlacedArray from = place(builder, "A", parse_array("A[I=10_X, J=3]", kMesh));
  PushedOperand operand{builder, "A.gathered", from, parse_array("A[I=10, J=3]", kMesh), 2, 2};
};

TEST(PushedOperand, OwnShardsStayWhereTheyAre) {
  const Pushed pushed;
  for (int rank = 0; rank < 3; ++rank) {
    const std::vector<Piece>& own = pushed.operand.own()[static_cast<std::size_t>(rank)];
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own.front().where, pushed.from.region(rank));
  }
}

TEST(PushedOperand, ShortShardsTakePartInFewerRounds) {
  const Pushed pushed;
  ASSERT_EQ(pushed.operand.num_rounds(), 2);
  EXPECT_EQ(pushed.operand.landing(0)[0].size(), 2U);
  ASSERT_EQ(pushed.operand.landing(1)[0].size(), 1U) << "rank 2 has sent its two rows";
  EXPECT_EQ(pushed.operand.landing(1)[0].front().part, (Box{{6, 8}, {0, 3}}));
}

TEST(PushedOperand, AllPiecesMakeUpTheOperand) {
  const Pushed pushed;
  for (const std::vector<Piece>& of_rank : pushed.operand.all()) {
    std::int64_t elements = 0;
    for (const Piece& piece : of_rank) {
      elements += piece.part.num_elements();
      EXPECT_EQ(piece.where.box.shape(), piece.part.shape());
      for (const Piece& other : of_rank) EXPECT_TRUE(&other == &piece || !overlap(piece.part, other.part));
    }
    EXPECT_EQ(elements, 30);
  }
}

TEST(PushedOperand, ASlotIsFilledAgainOnceItsRoundHasBeenRead) {
  ScheduleBuilder builder(Mesh{{"X", 2}});
  const PlacedArray from = place(builder, "A", parse_array("A[I=6_X]", builder.mesh()));
  const PlacedArray out = place(builder, "out", parse_array("out[I=6]", builder.mesh()));
  const PushedOperand operand(builder, "slot", from, out.type, 1, 2);
  ASSERT_EQ(operand.num_rounds(), 3);
  for (int round = 0; round < 3; ++round) {
    operand.put(builder, round);
    for (const std::vector<Piece>& of_rank : operand.landing(round))
      for (const Piece& piece : of_rank) builder.copy(out.region(piece.where.rank, piece.part), piece.where);
  }
  const Schedule schedule = builder.finish({builder.mesh(), {}, {}, {}, false});
  std::vector<std::string> copies;
  for (const Lane& lane : schedule.ranks[0].lanes)
    if (lane.name == kCopyLane0)
      for (const Op& op : lane.ops) copies.push_back(to_string(schedule, 0, op));
  EXPECT_THAT(copies, ::testing::ElementsAre(::testing::StartsWith("put slot.slot0.0@1[0:1] A[0:1]"),
                                             ::testing::StartsWith("put slot.slot1.0@1[0:1] A[1:2]"),
                                             ::testing::StartsWith("wait slot.slot0.0.free.from1 >= 1"),
                                             ::testing::StartsWith("put slot.slot0.0@1[0:1] A[2:3]")));
}

}  // namespace
}  // namespace meshmul
