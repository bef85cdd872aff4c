// One list of cases, run by every executor of this build.

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <tuple>

#include "conformance_cases.hpp"
#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/verify.hpp"

namespace meshmul {
namespace {

using Builder = ConformanceCase (*)(int num_ranks);

constexpr Builder kBuilders[] = {gets_from_all,
                                 puts_around_a_ring,
                                 barriers_between_rounds,
                                 products_read_peers_in_place,
                                 partial_sums_reach_their_owner,
                                 empty_boxes_still_raise};

class Conformance : public ::testing::TestWithParam<std::tuple<const Executor*, Builder, int>> {};

void write_inputs(Session& session, const Schedule& schedule, const ConformanceCase& test, int run) {
  for (const Holding& input : schedule.contract.inputs) {
    const Region& region = input.region;
    const std::span<float> values = elements(session, region.rank, region.buffer);
    const std::string& name = schedule.buffers[static_cast<std::size_t>(region.buffer)].name;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = test.value(name, region.rank, run, static_cast<int>(i));
  }
}

void expect_outputs(Session& session, const Schedule& schedule, const ConformanceCase& test, int run) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    for (int buffer = 0; buffer < static_cast<int>(schedule.buffers.size()); ++buffer) {
      const std::string& name = schedule.buffers[static_cast<std::size_t>(buffer)].name;
      if (!name.starts_with("out")) continue;
      const std::span<float> found = elements(session, rank, buffer);
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], test.value(name, rank, run, static_cast<int>(i)))
            << "run " << run << ", rank " << rank << ", " << name << "[" << i << "]";
    }
  }
}

TEST_P(Conformance, RunsInOneGoNeedNoHostBetweenThem) {
  const auto& [executor, build, num_ranks] = GetParam();
  const ConformanceCase test = build(num_ranks);
  Capabilities available = executor->capabilities();
  available.barrier = false;
  const Schedule schedule = legalize(schedule_of(test), available);
  for (const Finding& finding : verify(schedule))
    EXPECT_FALSE(finding.rule == Rule::kRace || finding.rule == Rule::kBackToBack) << to_string(finding, schedule);
  ExecuteOptions options;
  options.poison = true;
  options.kernels = MESHMUL_TEST_KERNELS;
  const std::unique_ptr<Session> session = executor->open(schedule, options);
  int run = 0;
  for (const int times : {1, 20, 3}) {
    write_inputs(*session, schedule, test, run);
    session->run(times);
    expect_outputs(*session, schedule, test, run++);
  }
}

TEST(RunsInOneGo, AreRefusedWhereTheHostHasToStandBetweenThem) {
  const Schedule schedule = parse_schedule("meshmul schedule 1\nmesh X=2\nrequires barrier\n");
  const auto message = [&](const Executor& executor, std::int64_t times) -> std::string {
    try {
      executor.open(schedule, {})->run(times);
    } catch (const Error& error) {
      return error.what();
    }
    return "it ran";
  };
  for (const Executor* executor : executors()) {
    EXPECT_EQ(message(*executor, 0), "a schedule cannot be run 0 times; at least once");
    EXPECT_EQ(message(*executor, 1), "it ran");
    EXPECT_EQ(message(*executor, 2),
              "the schedule requires a barrier between runs, so it cannot be run 2 times in one go; legalize it for a "
              "backend without one");
  }
}

TEST_P(Conformance, EveryRunOfTheSessionGivesTheExpectedValues) {
  const auto& [executor, build, num_ranks] = GetParam();
  const ConformanceCase test = build(num_ranks);
  const Schedule schedule = schedule_of(test);
  ExecuteOptions options;
  options.poison = true;
  options.kernels = MESHMUL_TEST_KERNELS;
  const std::unique_ptr<Session> session = executor->open(schedule, options);
  constexpr int kRuns = 3;
  for (int run = 0; run < kRuns; ++run) {
    write_inputs(*session, schedule, test, run);
    session->run();
    expect_outputs(*session, schedule, test, run);
  }
}

/// One rank doubles a private number that nothing has written, and adds one that it has. `held` is private too, but the
/// contract names it.
constexpr std::string_view kPrivateNumbers = R"(
meshmul schedule 1
mesh X=2
requires nothing
buffer undefined f32 [1] private
buffer held f32 [1] private
buffer sum f32 [1] private
buffer out f32 [2] symmetric
input A rank 0 [0:1] at held[0:1]
rank 0
  lane compute
    map out[0:1] add undefined[0:1] undefined[0:1]
    copy sum[0:1] held[0:1]
    reduce sum[0:1] held[0:1]
    copy out[1:2] sum[0:1]
)";

class Executors : public ::testing::TestWithParam<const Executor*> {
 protected:
  std::unique_ptr<Session> open(std::string_view text) const {
    ExecuteOptions options;
    options.poison = true;
    options.kernels = MESHMUL_TEST_KERNELS;
    return GetParam()->open(parse_schedule(text), options);
  }
};

TEST_P(Executors, KeepPrivateBuffersOutOfReachUnlessTheContractNamesThem) {
  const auto session = open(kPrivateNumbers);
  for (const int rank : {0, 1}) {
    EXPECT_TRUE(session->buffer(rank, 0).empty());
    EXPECT_EQ(session->buffer(rank, 1).size(), sizeof(float));
    EXPECT_TRUE(session->buffer(rank, 2).empty());
    EXPECT_EQ(session->buffer(rank, 3).size(), 2 * sizeof(float));
  }
}

TEST_P(Executors, HaveBuffersOnADeviceIfTheyRunOnOne) {
  const auto session = open(kPrivateNumbers);
  for (const int rank : {0, 1})
    for (const int buffer : {0, 1, 2, 3}) {
      const bool is_there = GetParam()->name() == "cuda" && !session->buffer(rank, buffer).empty();
      EXPECT_EQ(session->device_buffer(rank, buffer) != nullptr, is_there) << rank << ", " << buffer;
    }
}

TEST_P(Executors, PoisonPrivateBuffersAsWell) {
  const auto session = open(kPrivateNumbers);
  elements(*session, 0, 1)[0] = 3;
  session->run();
  EXPECT_TRUE(std::isnan(elements(*session, 0, 3)[0]));
  EXPECT_EQ(elements(*session, 0, 3)[1], 6);
}

INSTANTIATE_TEST_SUITE_P(Private, Executors, ::testing::ValuesIn(executors()),
                         [](const auto& test) { return std::string(test.param->name()); });

std::string name_of(const ::testing::TestParamInfo<Conformance::ParamType>& info) {
  const auto& [executor, build, num_ranks] = info.param;
  return fmt::format("{}_{}_{}", executor->name(), build(num_ranks).name, num_ranks);
}

INSTANTIATE_TEST_SUITE_P(Executors, Conformance,
                         ::testing::Combine(::testing::ValuesIn(executors()), ::testing::ValuesIn(kBuilders),
                                            ::testing::Values(1, 2, 3, 7)),
                         name_of);

INSTANTIATE_TEST_SUITE_P(ManyRanks, Conformance,
                         ::testing::Combine(::testing::ValuesIn(executors()),
                                            ::testing::Values(gets_from_all, barriers_between_rounds),
                                            ::testing::Values(16)),
                         name_of);

TEST(Registry, FindsExecutorsByName) {
  for (const Executor* executor : executors()) EXPECT_EQ(find_executor(executor->name()), executor);
  EXPECT_EQ(find_executor("no such executor"), nullptr);
}

}  // namespace
}  // namespace meshmul
