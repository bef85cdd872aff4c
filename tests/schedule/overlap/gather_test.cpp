#include "schedule/overlap/gather.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kMesh{{"X", 4}};

struct Gather {
  ScheduleBuilder builder{kMesh};
  PlacedArray from = place(builder, "A", parse_array("A[I=8_X, J=3]", kMesh));
  PlacedArray to = place(builder, "all", parse_array("A[I=8, J=3]", kMesh));

  Schedule finish() { return builder.finish({kMesh, {}, {}, {}, false}); }
};

// Whose shard each piece of `rank` is part of, where every rank has two rows.
std::vector<std::int64_t> owners(const Pieces& pieces, std::size_t rank) {
  std::vector<std::int64_t> owners;
  for (const Piece& piece : pieces[rank]) owners.push_back(piece.part[0].begin / 2);
  return owners;
}

TEST(MultiplyInPlace, BeginsWithTheOwnShardAndGoesOnUpwards) {
  Gather gather;
  const Pieces pieces = multiply_in_place(gather.builder, gather.from, gather.to.type);
  EXPECT_THAT(owners(pieces, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(owners(pieces, 2), ElementsAre(2, 3, 0, 1));
  EXPECT_EQ(pieces[2][1].where, gather.from.region(3));
  EXPECT_TRUE(gather.finish().ranks[0].lanes.empty());
}

TEST(Pull, CutsShardsInChunksAndThoseInBlocks) {
  Gather gather;
  OverlapOptions options;
  options.chunks_per_shard = 2;
  options.copy_bytes = 8;  // two elements of the three of a row
  options.copy_lanes = 2;
  const Pieces pieces = pull(gather.builder, gather.from, gather.to, options);
  EXPECT_THAT(owners(pieces, 3), ElementsAre(3, 0, 0, 1, 1, 2, 2));
  EXPECT_EQ(pieces[3][0].where, gather.from.region(3)) << "its own shard is not copied";
  const Schedule schedule = gather.finish();
  ASSERT_EQ(schedule.ranks[3].lanes.size(), 2U);
  EXPECT_EQ(schedule.ranks[3].lanes[0].name, "copy0");
  EXPECT_EQ(to_string(schedule, 3, schedule.ranks[3].lanes[0].ops[0]),
            "get all[0:1, 0:2] A@0[0:1, 0:2] arrived all.arrived");
  EXPECT_EQ(to_string(schedule, 3, schedule.ranks[3].lanes[1].ops[0]),
            "get all[0:1, 2:3] A@0[0:1, 2:3] arrived all.arrived.copy1");
}

TEST(PassRound, PiecesStandInTheOrderInWhichTheyCome) {
  Gather one;
  EXPECT_THAT(owners(pass_round(one.builder, MoveKind::kAllGather, one.from, one.to, Ways::kOne), 1),
              ElementsAre(1, 0, 3, 2));
  Gather both;
  EXPECT_THAT(owners(pass_round(both.builder, MoveKind::kAllGather, both.from, both.to, Ways::kBoth), 1),
              ElementsAre(1, 0, 2, 3));
}

}  // namespace
}  // namespace meshmul
