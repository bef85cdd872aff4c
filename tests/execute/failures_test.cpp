// What the executors of this machine do when a run cannot end: they say why, leave nothing behind, and work again.

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "long_schedules.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Failures : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Session> open(const std::string& text) {
    return find_executor(GetParam())->open(parse_schedule(text), options_);
  }

  ExecuteOptions options_{
      .deadline = milliseconds(500), .seed = 0, .poison = false, .interrupted = {}, .kernels = MESHMUL_TEST_KERNELS};
};

/// The error of a run that has to fail.
Error failure_of(Session& session) {
  try {
    session.run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "the run ended well";
  return {ErrorCode::kMachine, ""};
}

TEST_P(Failures, AWaitThatNobodyEndsIsNamedWithItsSignalAndItsWriter) {
  const auto session = open(one_raise_short());
  const Error error = failure_of(*session);
  EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
  EXPECT_STREQ(error.what(),
               "no rank made progress for 500 ms: rank 0, lane compute, op 1 (line 9): wait come >= 2, signal come: "
               "expected 2, seen 1; it is raised by rank 1, lane copy0, which has ended");
}

TEST_P(Failures, ACycleOfWaitsIsFollowedRound) {
  const auto session = open(header(3) +
                            "buffer a f32 [1] symmetric\nsignal s\n"
                            "rank 0\n  lane compute\n    wait s >= 1\n    signal 1 s\n"
                            "rank 1\n  lane compute\n    wait s >= 1\n    signal 2 s\n"
                            "rank 2\n  lane compute\n    wait s >= 1\n    signal 0 s\n");
  EXPECT_STREQ(failure_of(*session).what(),
               "no rank made progress for 500 ms: rank 0, lane compute, op 0 (line 8): wait s >= 1, signal s: expected "
               "1, seen 0; it is raised by rank 2, lane compute, op 0 (line 16): wait s >= 1, signal s: expected 1, "
               "seen 0; it is raised by rank 1, lane compute, op 0 (line 12): wait s >= 1, signal s: expected 1, seen "
               "0; it is raised by rank 0, lane compute: a cycle");
}

TEST_P(Failures, ASignalWithoutAWriterIsSaidToHaveNone) {
  const auto session =
      open(header(1) + "buffer a f32 [1] symmetric\nsignal s\nrank 0\n  lane compute\n    wait s >= 1\n");
  EXPECT_THAT(failure_of(*session).what(), HasSubstr("expected 1, seen 0; no lane raises it"));
}

TEST_P(Failures, AFailedSessionRepeatsItsErrorUntilReset) {
  const auto session = open(one_raise_short());
  const std::string first = failure_of(*session).what();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure_of(*session).what(), first);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, options_.deadline) << "it must not run into the deadline again";
  EXPECT_EQ(session->buffer(1, 0).size(), sizeof(float)) << "buffers can still be read";
}

TEST_P(Failures, ARunIsInterruptedWhileItWaits) {
  options_.deadline = std::chrono::minutes(10);
  std::atomic<bool> interrupted = false;
  options_.interrupted = [&] { return interrupted.load(); };
  const auto session = open(one_raise_short());
  interrupted = true;
  const Error error = failure_of(*session);
  EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  EXPECT_STREQ(error.what(), "the run was interrupted");
}

TEST_P(Failures, ASessionThatWasInterruptedWorksAfterReset) {
  bool interrupted = false;
  options_.interrupted = [&] { return interrupted; };
  options_.kernels = "reference";
  options_.deadline = std::chrono::minutes(10);
  const auto session = open(many_products(2, kManyProducts));
  interrupted = true;
  EXPECT_EQ(failure_of(*session).code(), ErrorCode::kInterrupted);

  interrupted = false;
  session->reset();
  for (const int rank : {0, 1}) {
    std::ranges::fill(elements(*session, rank, 0), 1.0F);
    std::ranges::fill(elements(*session, rank, 1), 2.0F);
  }
  session->run();
  EXPECT_THAT(elements(*session, 0, 2), ::testing::Each(kProductSize * 2.0F * kManyProducts));
  EXPECT_THAT(elements(*session, 1, 2), ::testing::Each(kProductSize * 2.0F * kManyProducts));
}

TEST_P(Failures, ABufferThatFitsNoMachineIsRefusedWithBothNumbers) {
  try {
    open(header(2) + "buffer huge f32 [1048576, 1048576, 16] symmetric\n");
    ADD_FAILURE() << "128 TiB were found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("2 ranks need 134217"), HasSubstr("each 67108864.0 MiB (70368744177664 bytes)"),
                      HasSubstr("available are ")));
  }
}

TEST_P(Failures, AScheduleThatIsNotWellFormedIsRefused) {
  try {
    open(header(2) +
         "signal s\nrank 0\n  lane compute\n    signal 0 s\n    wait s >= 1\nrank 1\n  lane compute\n    signal 0 s\n");
    ADD_FAILURE() << "the schedule was loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(
        error.what(),
        "well-formed: rank 1, lane compute, op 0 (line 11): raises s at rank 0, as rank 0, lane compute does; a "
        "signal word has one writing lane");
  }
}

TEST_P(Failures, AnUnknownKernelLibraryIsRefused) {
  options_.kernels = "abacus";
  EXPECT_THROW(open(header(1)), Error);
}

std::string name_of(const ::testing::TestParamInfo<std::string>& test) { return test.param; }

INSTANTIATE_TEST_SUITE_P(Executors, Failures, ::testing::Values(std::string("threads"), std::string("processes")),
                         name_of);

}  // namespace
}  // namespace meshmul
