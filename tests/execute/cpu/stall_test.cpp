#include "execute/cpu/stall.hpp"

#include <gmock/gmock.h>

#include "execute/cpu/mapping.hpp"

namespace meshmul {
namespace {

constexpr const char* kText = R"(meshmul schedule 1
mesh X=2
requires nothing
buffer a f32 [4] symmetric
signal go
signal done
rank 0
  lane compute
    wait go >= 2
    map a[0:4] zero
    signal 1 done
  lane copy0
    wait done >= 1
rank 1
  lane compute
    signal 0 go
    signal 0 go
    wait done >= 1
)";

/// The world of the text above in its third run, at the positions that a test sets.
class Stall : public ::testing::Test {
 protected:
  Stall() {
    memory_.construct(words_);
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank) memory_.rank(rank).runs.store(2);
  }

  void set(int rank, int lane, std::uint32_t position) {
    memory_.positions(rank)[static_cast<std::size_t>(lane)].store(position);
  }
  void set_signal(int rank, int signal, std::uint64_t value) { memory_.signal(rank, signal).value.store(value); }

  Schedule schedule_ = parse_schedule(kText);
  SignalWords words_{schedule_};
  WorldLayout layout_ = lay_out(schedule_);
  MemoryMapping mapping_ = MemoryMapping::anonymous(layout_.num_bytes);
  WorldMemory memory_{mapping_.data(), layout_};
  WorldSight sight_{schedule_, words_, memory_};
};

TEST_F(Stall, SeenLeavesOutEarlierRuns) {
  set_signal(0, 0, 2 * 2 + 1);
  EXPECT_EQ(describe_position(sight_, 0),
            "at lane compute, op 0 (line 9): wait go >= 2, signal go: expected 2, seen 1");
}

TEST_F(Stall, TheOpUnderWayComesBeforeWaits) {
  set_signal(0, 0, 2 * 2);
  set_signal(1, 1, 2 * 1);
  set(0, 0, 1);
  set(1, 0, 2);
  memory_.rank(0).current_lane.store(0);
  EXPECT_EQ(describe_position(sight_, 0), "at lane compute, op 1 (line 10): map a[0:4] zero");
  EXPECT_EQ(describe_stall(sight_), "rank 0 does not get past lane compute, op 1 (line 10): map a[0:4] zero");
}

TEST_F(Stall, ARankWhoseWaitWouldPassIsTheOneThatStandsStill) {
  set_signal(0, 0, 2 * 2 + 2);
  set(1, 0, 2);
  EXPECT_EQ(describe_stall(sight_),
            "rank 0 does not get past lane compute, op 0 (line 9): wait go >= 2, signal go: expected 2, seen 2");
}

TEST_F(Stall, TheOpUnderWayIsBlamedThoughAnotherLaneCouldStep) {
  set_signal(0, 1, 2 * 0 + 1);  // copy0 could pass its wait
  set(0, 0, 1);
  set(1, 0, 2);
  memory_.rank(0).current_lane.store(0);
  EXPECT_EQ(describe_stall(sight_), "rank 0 does not get past lane compute, op 1 (line 10): map a[0:4] zero");
}

TEST_F(Stall, AFinishedRankIsOutsideOfARun) {
  set(0, 0, 3);
  set(0, 1, 1);
  EXPECT_EQ(describe_position(sight_, 0), "outside of a run");
}

TEST_F(Stall, RanksThatHaveFinishedAndDoNotReturnAreSaidSo) {
  set(0, 0, 3);
  set(0, 1, 1);
  set(1, 0, 3);
  EXPECT_EQ(describe_stall(sight_), "every rank has run its program, and one does not return");
}

}  // namespace
}  // namespace meshmul
