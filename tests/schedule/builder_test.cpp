#include "schedule/builder.hpp"

#include <gmock/gmock.h>

#include "schedule/expect_proven.hpp"

namespace meshmul {
namespace {

/// The lanes of a schedule without a contract, as text.
std::string lanes_of(ScheduleBuilder& builder) {
  const Schedule schedule = builder.finish({builder.mesh(), {}, {}, {}, false});
  EXPECT_TRUE(testing::is_in_order(schedule));
  EXPECT_EQ(testing::redundant_wait_in(schedule), std::nullopt);
  const std::string text = to_string(schedule);
  const std::size_t begin = text.find("rank ");
  return begin == std::string::npos ? "" : text.substr(begin);
}

struct Builder : ::testing::Test {
  ScheduleBuilder builder{Mesh{{"X", 3}}};
  int a = builder.add_buffer("a", Dtype::kF32, {8});
  int b = builder.add_buffer("b", Dtype::kF32, {8});
  int c = builder.add_buffer("c", Dtype::kF32, {8});

  static Region at(int rank, int buffer, std::int64_t begin = 0, std::int64_t end = 8) {
    return {rank, buffer, Box{{begin, end}}};
  }
};

TEST_F(Builder, MemoryThatIsReleasedIsGivenOutAgain) {
  builder.release(a);
  builder.release(b);
  EXPECT_EQ(builder.add_buffer("other", Dtype::kF64, {8}), 3) << "another dtype";
  EXPECT_EQ(builder.add_buffer("longer", Dtype::kF32, {9}), 4);
  EXPECT_EQ(builder.add_buffer("flat", Dtype::kF32, {8, 1}), 5);
  EXPECT_EQ(builder.add_buffer("shorter", Dtype::kF32, {7}), a);
  EXPECT_EQ(builder.add_buffer("same", Dtype::kF32, {8}), b);
  EXPECT_EQ(builder.add_buffer("none left", Dtype::kF32, {8}), 6);
  EXPECT_EQ(builder.added_buffers(), (std::vector<int>{0, 1, 2, 3, 4, 5, a, b, 6}));
}

TEST_F(Builder, StepsThatDoNotTouchOneAnotherHaveNoSignals) {
  builder.copy(at(0, b, 0, 4), at(0, a, 0, 4));
  builder.copy(at(1, b), at(1, a));
  builder.append(0, "copy0", Copy{at(0, b, 4, 8), at(0, c, 4, 8), {}, {}});
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane compute\n"
            "    copy b[0:4] a[0:4]\n"
            "  lane copy0\n"
            "    copy b[4:8] c[4:8]\n"
            "rank 1\n"
            "  lane compute\n"
            "    copy b[0:8] a[0:8]\n");
}

TEST_F(Builder, AnArrivalIsAwaitedByWhoReadsItElseAtTheEnd) {
  builder.get(kCopyLane0, at(0, b, 0, 4), at(1, a, 0, 4));
  builder.get(kCopyLane0, at(0, b, 4, 8), at(2, a, 4, 8));
  builder.copy(at(0, c, 0, 4), at(0, b, 0, 4));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane copy0\n"
            "    get b[0:4] a@1[0:4] arrived b.arrived\n"
            "    get b[4:8] a@2[4:8] arrived b.arrived\n"
            "    wait b.arrived >= 2\n"
            "  lane compute\n"
            "    wait b.arrived >= 1\n"
            "    copy c[0:4] b[0:4]\n");
}

TEST_F(Builder, WhatAPeerWillGetIsSignalledRightBehindTheOpThatMakesIt) {
  builder.copy(at(1, b), at(1, a));
  builder.copy(at(1, c), at(1, a));
  builder.get(kCopyLane0, at(0, c), at(1, b));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane copy0\n"
            "    wait b.ready.from1 >= 1\n"
            "    get c[0:8] b@1[0:8] arrived c.arrived\n"
            "    wait c.arrived >= 1\n"
            "rank 1\n"
            "  lane compute\n"
            "    copy b[0:8] a[0:8]\n"
            "    signal 0 b.ready.from1\n"
            "    copy c[0:8] a[0:8]\n");
}

TEST_F(Builder, StepsThatStandTogetherAwaitAllThatTheyNeedAheadOfTheFirst) {
  for (const int half : {0, 4})
    builder.append(1, "compute", Copy{at(0, b, half, half + 4), at(1, a, half, half + 4), {}, {}});
  builder.copy(at(2, b), at(2, a));
  builder.together([&] {
    for (const int half : {4, 0}) builder.copy(at(0, c, half, half + 4), at(0, b, half, half + 4));
    builder.copy(at(0, a), at(2, b));
  });
  builder.append(1, "compute", Copy{at(1, b), at(0, c), {}, {}});
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane compute\n"
            "    wait b.ready.from1 >= 1\n"
            "    wait b.ready.from2 >= 1\n"
            "    copy c[4:8] b[4:8]\n"
            "    copy c[0:4] b[0:4]\n"
            "    signal 1 c.ready.from0\n"
            "    copy a[0:8] b@2[0:8]\n"
            "rank 1\n"
            "  lane compute\n"
            "    copy b@0[0:4] a[0:4]\n"
            "    copy b@0[4:8] a[4:8] arrived b.ready.from1\n"
            "    wait c.ready.from0 >= 1\n"
            "    copy b[0:8] c@0[0:8]\n"
            "rank 2\n"
            "  lane compute\n"
            "    copy b[0:8] a[0:8]\n"
            "    signal 0 b.ready.from2\n");
}

TEST_F(Builder, StepsThatStandTogetherMayFollowFromEachOther) {
  builder.append(1, "compute", Copy{at(0, a), at(1, a), {}, {}});
  builder.together([&] {
    builder.copy(at(0, b), at(0, a));
    builder.reduce(at(0, b), at(0, a));
  });
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane compute\n"
            "    wait a.ready.from1 >= 1\n"
            "    copy b[0:8] a[0:8]\n"
            "    reduce b[0:8] a[0:8]\n"
            "rank 1\n"
            "  lane compute\n"
            "    copy a@0[0:8] a[0:8] arrived a.ready.from1\n");
}

TEST_F(Builder, AnOpThatWritesAtAPeerTellsItByItsOwnSignal) {
  builder.append(1, "compute", Copy{at(0, b), at(1, a), {}, {}});
  builder.copy(at(0, c), at(0, b));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane compute\n"
            "    wait b.ready.from1 >= 1\n"
            "    copy c[0:8] b[0:8]\n"
            "rank 1\n"
            "  lane compute\n"
            "    copy b@0[0:8] a[0:8] arrived b.ready.from1\n");
}

TEST_F(Builder, AMemoryThatIsFilledAgainGivesACredit) {
  builder.put(kCopyLane0, at(1, b), at(0, a));
  builder.copy(at(1, c), at(1, b));
  builder.put(kCopyLane0, at(1, b), at(0, c));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane copy0\n"
            "    put b@1[0:8] a[0:8] arrived b.arrived.from0\n"
            "    wait b.free.from1 >= 1\n"
            "    put b@1[0:8] c[0:8] arrived b.arrived.from0\n"
            "rank 1\n"
            "  lane compute\n"
            "    wait b.arrived.from0 >= 1\n"
            "    copy c[0:8] b[0:8]\n"
            "    signal 0 b.free.from1\n"
            "  lane copy0\n"
            "    wait b.arrived.from0 >= 2\n");
}

TEST_F(Builder, ASourceIsOverwrittenOnlyOnceItIsSent) {
  builder.put(kCopyLane0, at(1, b), at(0, a));
  builder.copy(at(0, a), at(0, c));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane copy0\n"
            "    put b@1[0:8] a[0:8] arrived b.arrived.from0 sent a.sent\n"
            "  lane compute\n"
            "    wait a.sent >= 1\n"
            "    copy a[0:8] c[0:8]\n"
            "rank 1\n"
            "  lane copy0\n"
            "    wait b.arrived.from0 >= 1\n");
}

TEST_F(Builder, WhatArrivedIsPassedOnByARelay) {
  builder.get(kCopyLane0, at(1, b, 0, 4), at(0, a, 0, 4));
  builder.get(kCopyLane1, at(1, b, 4, 8), at(2, a, 4, 8));
  builder.get(kCopyLane0, at(2, c), at(1, b));
  EXPECT_EQ(lanes_of(builder),
            "rank 1\n"
            "  lane copy0\n"
            "    get b[0:4] a@0[0:4] arrived b.arrived\n"
            "  lane copy1\n"
            "    get b[4:8] a@2[4:8] arrived b.arrived.copy1\n"
            "  lane relay.copy0.to2\n"
            "    wait b.arrived >= 1\n"
            "    wait b.arrived.copy1 >= 1\n"
            "    signal 2 b.ready.from1\n"
            "rank 2\n"
            "  lane copy0\n"
            "    wait b.ready.from1 >= 1\n"
            "    get c[0:8] b@1[0:8] arrived c.arrived\n"
            "    wait c.arrived >= 1\n");
}

TEST_F(Builder, EachLaneIsToldByARelayOfItsOwn) {
  builder.get(kCopyLane0, at(1, b, 0, 4), at(0, a, 0, 4));
  builder.get(kCopyLane1, at(1, b, 4, 8), at(0, a, 4, 8));
  builder.get(kCopyLane1, at(2, c, 4, 8), at(1, b, 4, 8));
  builder.get(kCopyLane0, at(2, c, 0, 4), at(1, b, 0, 4));
  EXPECT_EQ(lanes_of(builder),
            "rank 1\n"
            "  lane copy0\n"
            "    get b[0:4] a@0[0:4] arrived b.arrived\n"
            "  lane copy1\n"
            "    get b[4:8] a@0[4:8] arrived b.arrived.copy1\n"
            "  lane relay.copy1.to2\n"
            "    wait b.arrived.copy1 >= 1\n"
            "    signal 2 b.ready.from1\n"
            "  lane relay.copy0.to2\n"
            "    wait b.arrived >= 1\n"
            "    signal 2 b.ready.from1.relay.copy0.to2\n"
            "rank 2\n"
            "  lane copy1\n"
            "    wait b.ready.from1 >= 1\n"
            "    get c[4:8] b@1[4:8] arrived c.arrived\n"
            "    wait c.arrived >= 1\n"
            "  lane copy0\n"
            "    wait b.ready.from1.relay.copy0.to2 >= 1\n"
            "    get c[0:4] b@1[0:4] arrived c.arrived.copy0\n"
            "    wait c.arrived.copy0 >= 1\n");
}

TEST_F(Builder, WhatAnEarlierWaitImpliesIsNotAwaitedAgain) {
  builder.copy(at(0, b, 0, 4), at(0, a, 0, 4));
  builder.copy(at(0, b, 4, 8), at(0, a, 4, 8));
  builder.get(kCopyLane0, at(1, b, 4, 8), at(0, b, 4, 8));
  builder.get(kCopyLane0, at(1, b, 0, 4), at(0, b, 0, 4));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane compute\n"
            "    copy b[0:4] a[0:4]\n"
            "    copy b[4:8] a[4:8]\n"
            "    signal 1 b.ready.from0\n"
            "rank 1\n"
            "  lane copy0\n"
            "    wait b.ready.from0 >= 1\n"
            "    get b[4:8] b@0[4:8] arrived b.arrived\n"
            "    get b[0:4] b@0[0:4] arrived b.arrived\n"
            "    wait b.arrived >= 2\n");
}

TEST_F(Builder, ALaterSignalOfALaneThatComesEarlierInItIsCountedInItsPlace) {
  builder.copy(at(0, b), at(0, a));
  builder.copy(at(0, c), at(0, a));
  builder.get(kCopyLane0, at(1, c), at(0, c));
  builder.get(kCopyLane1, at(1, b), at(0, b));
  EXPECT_EQ(lanes_of(builder),
            "rank 0\n"
            "  lane compute\n"
            "    copy b[0:8] a[0:8]\n"
            "    signal 1 b.ready.from0\n"
            "    copy c[0:8] a[0:8]\n"
            "    signal 1 c.ready.from0\n"
            "rank 1\n"
            "  lane copy0\n"
            "    wait c.ready.from0 >= 1\n"
            "    get c[0:8] c@0[0:8] arrived c.arrived\n"
            "    wait c.arrived >= 1\n"
            "  lane copy1\n"
            "    wait b.ready.from0 >= 1\n"
            "    get b[0:8] b@0[0:8] arrived b.arrived\n"
            "    wait b.arrived >= 1\n");
}

TEST_F(Builder, EmptyBoxesAreLeftOutButNotAnEmptyContraction) {
  builder.put(kCopyLane0, at(1, b, 0, 0), at(0, a, 0, 0));
  builder.get(kCopyLane0, at(0, b, 0, 0), at(1, a, 0, 0));
  builder.copy(at(0, b, 0, 0), at(0, a, 0, 0));
  builder.reduce(at(0, b, 0, 0), at(0, a, 0, 0));
  builder.zero(at(0, b, 0, 0));
  const int x = builder.add_buffer("x", Dtype::kF32, {2, 3});
  const int y = builder.add_buffer("y", Dtype::kF32, {2, 4});
  const int z = builder.add_buffer("z", Dtype::kF32, {4, 3});
  const auto product = [&](std::int64_t rows, std::int64_t contracted) {
    builder.gemm({0, x, Box{{0, rows}, {0, 3}}}, {0, y, Box{{0, rows}, {0, contracted}}},
                 {0, z, Box{{0, contracted}, {0, 3}}}, "ij,jk->ik");
  };
  product(0, 4);
  product(2, 0);
  EXPECT_EQ(lanes_of(builder), "rank 0\n  lane compute\n    gemm x[0:2, 0:3] y[0:2, 0:0] z[0:0, 0:3] ij,jk->ik\n");
}

TEST_F(Builder, ABufferIsSymmetricIfAPeerTouchesIt) {
  builder.get(kCopyLane0, at(0, b), at(1, a));
  const Schedule schedule = builder.finish({builder.mesh(), {}, {{"C", Box{{0, 8}}, at(0, c)}}, {}, false});
  EXPECT_TRUE(schedule.buffers[0].symmetric);
  EXPECT_FALSE(schedule.buffers[1].symmetric);
  EXPECT_TRUE(schedule.buffers[2].symmetric) << "the host writes it";
  EXPECT_EQ(schedule.capabilities, (Capabilities{.get = true, .addressable = false, .strided = false}));
}

TEST_F(Builder, ANameThatIsTakenGetsANumber) {
  EXPECT_EQ(builder.buffer(builder.add_buffer("a", Dtype::kF32, {1})).name, "a.2");
  EXPECT_EQ(builder.buffer(builder.add_buffer("a", Dtype::kF32, {1})).name, "a.3");
}

}  // namespace
}  // namespace meshmul
