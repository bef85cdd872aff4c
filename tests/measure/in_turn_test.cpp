#include "measure/in_turn.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <thread>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// Notes its name whenever it is called, and returns how many calls there were.
Timed noting(std::string& order, char name) {
  return [&order, name] { return static_cast<double>((order += name).size()); };
}

TEST(InTurn, EachContenderComesRightAfterTheReference) {
  std::string order;
  InTurnOptions options;
  options.rounds = 2;
  const auto pairs = measure_in_turn(noting(order, 'a'), {noting(order, 'b'), noting(order, 'c')}, options);
  EXPECT_EQ(order, "abacabacabac");
  ASSERT_THAT(pairs, SizeIs(2));
  // The first round, of four calls, is not counted.
  EXPECT_THAT(pairs[0].reference_seconds, ElementsAre(5, 9));
  EXPECT_THAT(pairs[0].seconds, ElementsAre(6, 10));
  EXPECT_THAT(pairs[1].reference_seconds, ElementsAre(7, 11));
  EXPECT_THAT(pairs[1].seconds, ElementsAre(8, 12));
}

TEST(InTurn, ARoundThatWasStoppedIsNotCounted) {
  std::string order;
  InTurnOptions options;
  options.stop = [&] { return order.size() >= 11; };
  const auto pairs = measure_in_turn(noting(order, 'a'), {noting(order, 'b'), noting(order, 'c')}, options);
  EXPECT_EQ(order, "abacabacaba");
  EXPECT_THAT(pairs[0].seconds, SizeIs(1));
  EXPECT_THAT(pairs[1].seconds, SizeIs(1));
}

TEST(InTurn, AnInterruptedRunEndsTheRoundsAndKeepsThoseBefore) {
  std::string order;
  const Timed interrupted = [&] {
    if (order.size() > 3) throw Error(ErrorCode::kInterrupted, "interrupted");
    return 1.0;
  };
  const auto pairs = measure_in_turn(noting(order, 'a'), {interrupted}, {});
  EXPECT_THAT(pairs[0].seconds, SizeIs(2));
}

TEST(InTurn, OtherErrorsAreNotSwallowed) {
  const Timed failing = []() -> double { throw Error(ErrorCode::kRankFailed, "rank 1 has ended"); };
  EXPECT_THROW(measure_in_turn([] { return 1.0; }, {failing}, {}), Error);
}

TEST(InTurn, NoRoundBeginsAfterTheTimeButOneIsAlwaysCounted) {
  InTurnOptions options;
  options.max_seconds = 0;
  const Timed slow = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return 0.002;
  };
  EXPECT_THAT(measure_in_turn(slow, {slow}, options).front().seconds, SizeIs(1));
}

}  // namespace
}  // namespace meshmul::measure
