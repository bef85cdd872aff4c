// One list of cases, run by every executor of this build.

#include <gmock/gmock.h>

#include <cmath>
#include <tuple>

#include "conformance_cases.hpp"

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

TEST(Executors, AreFoundByName) {
  for (const Executor* executor : executors()) EXPECT_EQ(find_executor(executor->name()), executor);
  EXPECT_EQ(find_executor("no such executor"), nullptr);
}

}  // namespace
}  // namespace meshmul
