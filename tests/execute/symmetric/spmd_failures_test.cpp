// Programs on a symmetric heap that are wrong: what is refused and in which words, waits that nobody ends, ranks that throw.

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "meshmul/error.hpp"
#include "meshmul/symmetric_heap.hpp"

namespace meshmul {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class SpmdFailures : public ::testing::Test {
 protected:
  SymmetricHeap make(const std::string& backend, int num_ranks) const {
    return SymmetricHeap::on(backend, {{"X", num_ranks}}, options_);
  }

  SymmetricHeapOptions options_ = [] {
    SymmetricHeapOptions options;
    options.execute.deadline = milliseconds(500);
    return options;
  }();
};

/// What `act` throws.
template <class Act>
Error error_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorCode::kMachine, ""};
}

/// The error of rank 0 doing `act` on a heap of two ranks, without the words of every such error.
template <class Act>
std::string refusal(SymmetricHeap& heap, Act act) {
  const Error error = error_of([&] {
    heap.spmd([&](Rank& rank) {
      if (rank.id() == 0) act(rank);
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
  const std::string sentence = error.what(), opening = "rank 0 failed in its function, after 0 operations: ";
  EXPECT_TRUE(sentence.starts_with(opening)) << sentence;
  return sentence.substr(std::min(opening.size(), sentence.size()));
}

TEST_F(SpmdFailures, WhatIsNotThereIsRefused) {
  SymmetricHeap heap = make("threads", 2), other = make("threads", 2);
  const SymmetricBuffer x = heap.allocate("x", dtype::f32, {8, 4}), scalar = heap.allocate("s", dtype::f32, {});
  const SymmetricBuffer foreign = other.allocate("f", dtype::f32, {8, 4});
  const SymmetricSignal come = heap.signal("come"), strange = other.signal("strange");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.put(1, x.rows(2, 9), x.rows(0, 7)); }),
            "x[2:9, 0:4] does not lie in x, whose shape is [8, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank&) { (void)x[{{0, 1}}]; }), "x[0:1] does not lie in x, whose shape is [8, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank&) { (void)x[{{3, 2}, {0, 4}}]; }),
            "x[3:2, 0:4] does not lie in x, whose shape is [8, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank&) { (void)scalar.rows(0, 1); }), "s has no dimension, and so no rows");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.put(2, x, x); }), "there is no rank 2; the heap has ranks 0 to 1");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.raise(-1, come); }), "there is no rank -1; the heap has ranks 0 to 1");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.view(foreign); }), "a slice of a buffer belongs to another heap");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.wait(strange, 1); }), "a signal belongs to another heap");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.barrier(4); }),
            "barrier: there is no channel 4; the heap has channels 0 to 3");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.stream(8); }), "there is no stream 8; a rank has streams 0 to 7");
}

TEST_F(SpmdFailures, WhatDoesNotFitIsRefused) {
  SymmetricHeap heap = make("threads", 2);
  const SymmetricBuffer x = heap.allocate("x", dtype::f32, {8, 4}), i = heap.allocate("i", dtype::i32, {8, 4});
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.put(1, x.rows(0, 2), x.rows(0, 3)); }),
            "put: the source is f32[3, 4], the destination f32[2, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.get(x, 1, i); }),
            "get: the source is i32[8, 4], the destination f32[8, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.stream().copy(rank.view(x), rank.view(x.rows(0, 1))); }),
            "a copy of a stream: the source is f32[1, 4], the destination f32[8, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.add(rank.view(x), rank.view(x.rows(0, 1))); }),
            "add: the source is f32[1, 4], the destination f32[8, 4]");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.map(rank.view(x), MapFunction::kAdd, {}); }),
            "map add has 0 sources; expected 2");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.gemm(rank.view(x), rank.view(x), rank.view(x)); }),
            "gemm ij,jk->ik of f32[8, 4] and f32[8, 4] into f32[8, 4]: index j has both 4 and 8 elements");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { rank.gemm(rank.view(x), rank.view(x), rank.view(i), "ij,kj->ik"); }),
            "gemm ij,kj->ik of f32[8, 4] and i32[8, 4] into f32[8, 4]: index k has both 8 and 4 elements");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { (void)rank.elements<std::int32_t>(x); }),
            "the elements of f32[8, 4] are asked for as another type");
  EXPECT_EQ(refusal(heap, [&](Rank& rank) { (void)rank.elements<float>(x[{{0, 8}, {0, 2}}]); }),
            "the elements of f32[8, 2] do not lie side by side in their buffer");
}

TEST_F(SpmdFailures, ASecondWriterOfAWordIsRefused) {
  SymmetricHeap heap = make("threads", 3);
  const SymmetricSignal come = heap.signal("come"), known = heap.signal("known");
  const Error error = error_of([&] {
    heap.spmd([&](Rank& rank) {
      if (rank.id() == 0) rank.raise(2, come);
      if (rank.id() == 0) rank.raise(1, known);
      if (rank.id() != 1) return;
      rank.wait(known, 1);
      rank.raise(2, come);
    });
  });
  EXPECT_STREQ(
      error.what(),
      "rank 1 failed in its function, after 1 operation: rank 1 raises come of rank 2, as rank 0 does; a signal "
      "word has one writer in a run");
  EXPECT_THAT(error_of([&] {
                heap.spmd([&](Rank& rank) {
                  if (rank.id() != 0) return;
                  rank.stream(3).write_value(rank.id(), come, 1);
                  rank.raise(rank.id(), come);
                });
              }).what(),
              HasSubstr("raises come of rank 0, as stream 3 of rank 0 does"));
}

TEST_F(SpmdFailures, AValueThatFallsIsRefused) {
  SymmetricHeap heap = make("threads", 1);
  const SymmetricSignal come = heap.signal("come");
  const Error error = error_of([&] {
    heap.spmd([&](Rank& rank) {
      rank.stream().write_value(0, come, 3);
      rank.stream().write_value(0, come, 2);
    });
  });
  EXPECT_THAT(error.what(), HasSubstr("write_value gives come of rank 0 the value 2 after 3; a signal only grows"));
}

TEST_F(SpmdFailures, APutWithoutASignalHasNoArrivalToWaitFor) {
  SymmetricHeap heap = make("threads", 1);
  const SymmetricBuffer x = heap.allocate("x", dtype::f32, {2});
  EXPECT_THAT(
      error_of([&] { heap.spmd([&](Rank& rank) { rank.put(0, x.rows(0, 1), x.rows(1, 2)).wait_arrived(); }); }).what(),
      HasSubstr("wait_arrived: the put raises no signal by which its arrival could be seen"));
}

TEST_F(SpmdFailures, AHeapIsRefusedWhereItCannotBe) {
  const Error processes = error_of([&] { make("processes", 2); });
  EXPECT_EQ(processes.code(), ErrorCode::kUnsupported);
  EXPECT_STREQ(processes.what(),
               "a symmetric heap cannot be on 'processes': its ranks are programs of their own, in which a function of "
               "this program is not; take 'threads' or 'reference'");
  EXPECT_STREQ(error_of([&] { make("abacus", 2); }).what(),
               "there is no backend 'abacus' for a symmetric heap; expected threads or reference");
  options_.num_channels = 0;
  EXPECT_STREQ(error_of([&] { make("threads", 2); }).what(),
               "a heap with 0 channels has no barrier; expected 1 or more");
}

TEST_F(SpmdFailures, ABufferThatFitsNoMachineIsRefused) {
  SymmetricHeap heap = make("threads", 2);
  EXPECT_EQ(error_of([&] { heap.allocate("huge", dtype::f32, {1 << 20, 1 << 20, 16}); }).code(),
            ErrorCode::kOutOfMemory);
  EXPECT_STREQ(error_of([&] { heap.allocate("huge", dtype::f32, {1L << 40, 1L << 40}); }).what(),
               "buffer huge cannot have the shape [1099511627776, 1099511627776] on 2 ranks");
  EXPECT_STREQ(error_of([&] { heap.allocate("odd", dtype::f32, {2, -1}); }).what(),
               "buffer odd cannot have the shape [2, -1] on 2 ranks");
  EXPECT_STREQ(error_of([&] { heap.allocate("deep", dtype::f32, Shape(9, 1)); }).what(),
               "buffer deep has 9 dimensions; at most 8 are allowed");
}

TEST_F(SpmdFailures, WhatIsForBetweenRunsIsRefusedInOne) {
  SymmetricHeap heap = make("threads", 2);
  EXPECT_EQ(refusal(heap, [&](Rank&) { heap.signal("late"); }),
            "signal: ranks are running; it is for the program that owns the heap, between runs");
  EXPECT_EQ(refusal(heap, [&](Rank&) { heap.spmd([](Rank&) {}); }),
            "spmd: ranks are running; it is for the program that owns the heap, between runs");
}

TEST_F(SpmdFailures, AWaitThatNobodyEndsIsNamedWithItsSignalAndItsWriter) {
  SymmetricHeap heap = make("threads", 2);
  const SymmetricSignal come = heap.signal("come");
  const auto one_raise_short = [&](Rank& rank) {
    if (rank.id() == 1) return rank.raise(0, come);
    rank.wait(come, 1);
    rank.wait(come, 2);
  };
  const Error error = error_of([&] { heap.spmd(one_raise_short); });
  EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
  EXPECT_STREQ(
      error.what(),
      "no rank made progress for 500 ms: rank 0, operation 2: wait come >= 2, signal come: expected 2, seen 1; it "
      "is raised by rank 1, which has ended");
  EXPECT_THAT(error_of([&] { heap.spmd([&](Rank& rank) { rank.wait(come, 1); }); }).what(),
              HasSubstr("expected 1, seen 0; no rank has raised it in this run"));
}

TEST_F(SpmdFailures, TheReferenceFindsAStallAtOnce) {
  options_.execute.deadline = std::chrono::minutes(10);
  SymmetricHeap heap = make("reference", 3);
  const SymmetricSignal come = heap.signal("come");
  const Error error = error_of([&] {
    heap.spmd([&](Rank& rank) {
      rank.raise(rank.neighbour(1), come);
      rank.wait(come, 2);
      rank.raise(rank.neighbour(1), come);
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
  EXPECT_STREQ(
      error.what(),
      "no rank can go on: rank 0, operation 2: wait come >= 2, signal come: expected 2, seen 1; it is raised by "
      "rank 2, operation 2: wait come >= 2, signal come: expected 2, seen 1; it is raised by rank 1, operation 2: "
      "wait come >= 2, signal come: expected 2, seen 1; it is raised by rank 0: a cycle");
}

TEST_F(SpmdFailures, ARankThatDoesNotComeBackFromItsOwnCodeIsNamed) {
  SymmetricHeap heap = make("threads", 2);
  EXPECT_STREQ(error_of([&] {
                 heap.spmd([&](Rank& rank) {
                   if (rank.id() == 1) std::this_thread::sleep_for(2 * options_.execute.deadline);
                   rank.barrier();
                 });
               }).what(),
               "no rank made progress for 500 ms: rank 1 does not come back from its own code after operation 0");
}

class SpmdThrows : public SpmdFailures, public ::testing::WithParamInterface<std::string> {};

TEST_P(SpmdThrows, WhatARankThrowsEndsAllAndTheNextRunWorks) {
  SymmetricHeap heap = make(GetParam(), 4);
  const SymmetricBuffer x = heap.allocate("x", dtype::f32, {1000}), y = heap.allocate("y", dtype::f32, {1000});
  const SymmetricSignal come = heap.signal("come");
  try {
    heap.spmd([&](Rank& rank) {
      rank.put(rank.neighbour(1), y, x, come);
      rank.wait(come, 1);
      if (rank.id() == 2) throw std::domain_error("the temperature is too high");
      try {
        rank.wait(come, 2);  // never
      } catch (const std::exception&) {
        ADD_FAILURE() << "the end of a run is no exception for ranks to catch";
      }
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
    EXPECT_STREQ(error.what(), "rank 2 failed in its function, after 2 operations: the temperature is too high");
    EXPECT_THROW(std::rethrow_if_nested(error), std::domain_error);
  }
  for (int rank = 0; rank < 4; ++rank) std::ranges::fill(heap.elements<float>(rank, x), static_cast<float>(rank));
  heap.spmd([&](Rank& rank) {
    rank.put(rank.neighbour(1), y, x, come).wait_arrived();
    rank.barrier();
    EXPECT_EQ(rank.value(come), 1U);
  });
  EXPECT_THAT(heap.elements<float>(0, y), ::testing::Each(3.0F));
}

TEST_P(SpmdThrows, ARunIsInterrupted) {
  options_.execute.deadline = std::chrono::minutes(10);
  std::atomic<bool> waits = false;
  options_.execute.interrupted = [&] { return waits.exchange(false); };
  SymmetricHeap heap = make(GetParam(), 2);
  const SymmetricSignal come = heap.signal("come");
  const Error error = error_of([&] {
    heap.spmd([&](Rank& rank) {
      waits = true;
      while (rank.value(come) == 0) std::this_thread::yield();  // a poll, as some programs prefer
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  heap.spmd([](Rank& rank) { rank.barrier(); });
}

INSTANTIATE_TEST_SUITE_P(Backends, SpmdThrows, ::testing::Values("threads", "reference"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace meshmul
