#include "schedule/local_map.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kMesh{{"X", 2}};

class WritingMaps : public ::testing::Test {
 protected:
  PlacedArray placed(std::string_view text) {
    const ArrayType type = parse_array(text, kMesh);
    return place(builder_, type.name, type);
  }

  std::vector<std::string> ops_of(int rank) {
    const Schedule schedule = builder_.finish({kMesh, {}, {}, {}, false});
    std::vector<std::string> texts;
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) texts.push_back(to_string(schedule, rank, op));
    return texts;
  }

  ScheduleBuilder builder_{kMesh};
};

TEST_F(WritingMaps, IsOneOpARank) {
  local_map(builder_, MapFunction::kMul, {placed("S[I=5_X, J=2]"), placed("V[I=5_X, J=2]")}, placed("H[I=5_X, J=2]"));
  EXPECT_THAT(ops_of(1), ElementsAre("map H[0:2, 0:2] mul S[0:2, 0:2] V[0:2, 0:2]"));
}

TEST_F(WritingMaps, MayBeInPlace) {
  const PlacedArray h = placed("H[I=5, J=2_X]");
  local_map(builder_, MapFunction::kGelu, {h}, h);
  EXPECT_THAT(ops_of(0), ElementsAre("map H[0:5, 0:1] gelu H[0:5, 0:1]"));
}

TEST_F(WritingMaps, GoesAlongTheIndexOfAVector) {
  local_map(builder_, MapFunction::kBias, {placed("Z[I=5, J=3_X]"), placed("b[J=3_X]")}, placed("H[I=5, J=3_X]"));
  EXPECT_THAT(ops_of(1), ElementsAre("map H[0:5, 0:1] bias Z[0:5, 0:1] b[0:1] along 1"));
}

TEST_F(WritingMaps, TakesAScalarForAllElements) {
  local_map(builder_, MapFunction::kScale, {placed("Z[I=5]"), placed("t[]")}, placed("H[I=5]"));
  EXPECT_THAT(ops_of(0), ElementsAre("map H[0:5] scale Z[0:5] t[]"));
}

TEST_F(WritingMaps, ConvertsIntoAnotherOrder) {
  local_map(builder_, MapFunction::kConvert, {placed("Z[I=5_X, J=2]")}, placed("bf16 H[J=2, I=5_X]"));
  EXPECT_THAT(ops_of(1), ElementsAre("copy H[0:2, 0:2] Z[0:2, 0:2] permute 1 0"));
}

}  // namespace
}  // namespace meshmul
