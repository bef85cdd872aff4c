// What the simulator does on a host, where a rank is one thread, on schedules that are small enough to work out by hand.

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "meshmul/simulate.hpp"
#include "simulate/machines.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// An op takes 1000 ps besides its work, 1000 bytes are copied in 2'000'000 ps, a signal is noticed after 1'000'000 ps, by
// who sleeps after 5'000'000 ps. A product of 2 x 2 by 2 x 2 takes 10'000'000 ps.
Hardware host() {
  Hardware hardware = machine(NetworkKind::kSwitch);
  Host host;
  host.op_seconds = 1e-9;
  host.notice_seconds = 1e-6;
  host.wake_seconds = 5e-6;
  host.sleep_after_seconds = 20e-6;
  host.runs = {{1e3}, {1e-8}};
  host.copies = host.gets = host.reductions = host.sums = host.maps = {{1e3}, {1e9}, {}};
  host.products = {{Dtype::kF32, {2}, {2}, {2}, {10e-6}}};
  hardware.host = host;
  return hardware;
}

Schedule two_ranks(const std::string& ops) {
  return parse_schedule(
      "meshmul schedule 1\nmesh X=2\nrequires get addressable strided\n"
      "buffer a f32 [250] symmetric\nbuffer b f32 [250] symmetric\nbuffer s f32 [2, 2] symmetric\n"
      "buffer t f32 [2, 2] symmetric\nbuffer u f32 [2, 2] symmetric\n"
      "signal got\nsignal sent\n" +
      ops);
}

Timeline on(const Hardware& hardware, const Schedule& schedule, const SimulateOptions& options = {}) {
  return simulate(schedule, hardware, one_switch(schedule.contract.mesh), options);
}

std::vector<std::pair<std::int64_t, std::int64_t>> periods(const Timeline& timeline) {
  std::vector<std::pair<std::int64_t, std::int64_t>> periods;
  for (const Span& span : timeline.spans) periods.emplace_back(span.start_ps, span.end_ps);
  return periods;
}

TEST(SimulateOnAHost, APutIsACopyByItsRankAndWhoWaitsForItNoticesIt) {
  const Timeline timeline = on(host(), two_ranks("rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got sent sent\n"
                                                 "wait sent >= 1\nrank 1\nlane compute\nwait got >= 1\n"));
  EXPECT_THAT(periods(timeline),
              ElementsAre(std::pair(0, 2'001'000), std::pair(2'001'000, 2'002'000), std::pair(0, 3'002'000)));
  EXPECT_THAT(timeline.critical_path, ElementsAre(PathStep{Blame::kCompute, 0, -1, 0, 2'001'000},
                                                  PathStep{Blame::kLatency, 2, -1, 2'001'000, 3'001'000},
                                                  PathStep{Blame::kCompute, 2, -1, 3'001'000, 3'002'000}));
  EXPECT_TRUE(timeline.links.empty());
}

TEST(SimulateOnAHost, WithoutLatencyNobodyTakesTimeToNotice) {
  const Timeline timeline = on(host(),
                               two_ranks("rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got\n"
                                         "rank 1\nlane compute\nwait got >= 1\n"),
                               without_latency());
  EXPECT_EQ(timeline.makespan_ps, 2'002'000);
}

TEST(SimulateOnAHost, LanesOfARankTakeTurnsAfterEachProduct) {
  const Timeline timeline =
      on(host(), two_ranks("rank 0\nlane compute\ngemm s[0:2, 0:2] t[0:2, 0:2] u[0:2, 0:2] ij,jk->ik\n"
                           "gemm s[0:2, 0:2] t[0:2, 0:2] u[0:2, 0:2] ij,jk->ik\n"
                           "lane copy0\ncopy b[0:250] a[0:250]\ncopy b[0:250] a[0:250]\nrank 1\n"));
  EXPECT_THAT(periods(timeline), ElementsAre(std::pair(0, 10'001'000), std::pair(14'003'000, 24'004'000),
                                             std::pair(10'001'000, 12'002'000), std::pair(12'002'000, 14'003'000)));
}

TEST(SimulateOnAHost, GemmsThatTheExecutorsDoInOneGoTakeTheTimeOfOne) {
  const Timeline timeline =
      on(host(), two_ranks("rank 0\nlane compute\ngemm s[0:1, 0:2] t[0:1, 0:2] u[0:2, 0:2] ij,jk->ik\n"
                           "gemm s[1:2, 0:2] t[1:2, 0:2] u[0:2, 0:2] ij,jk->ik\nrank 1\n"));
  EXPECT_THAT(periods(timeline), ElementsAre(std::pair(0, 10'001'000), std::pair(10'001'000, 10'001'000)));
}

TEST(SimulateOnAHost, ACopyAndTheReductionsBehindItReadEachTermAndWriteTheSumOnce) {
  Hardware hardware = host();
  hardware.host->sums = {{1e3}, {5e8}, {}};
  const Timeline timeline =
      on(hardware, two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\nreduce b[0:250] a@1[0:250]\n"
                             "reduce b[0:250] a[0:250]\nrank 1\n"));
  EXPECT_THAT(periods(timeline),
              ElementsAre(std::pair(0, 8'001'000), std::pair(8'001'000, 8'001'000), std::pair(8'001'000, 8'001'000)));
}

TEST(SimulateOnAHost, TermsWhoseRowsLieApartAreAddedOneAfterTheOther) {
  const Timeline timeline = on(host(), two_ranks("rank 0\nlane compute\ncopy s[0:2, 0:1] t[0:2, 0:1]\n"
                                                 "reduce s[0:2, 0:1] u[0:2, 0:1]\nrank 1\n"));
  // 2 elements read and written, then those read, read and written; two rows each time; an op takes 1000 ps.
  EXPECT_THAT(periods(timeline), ElementsAre(std::pair(0, 82'000), std::pair(82'000, 82'000)));
}

TEST(SimulateOnAHost, WhatIsLargeAndInOnePieceGoesPastTheCachesAtARateOfItsOwn) {
  Hardware hardware = host();
  hardware.host->streams = {1000, {{1e3}, {2e9}, {}}, {{1e3}, {4e9}, {}}, {{1e3}, {3e9}, {}}};
  const auto makespan = [&](const std::string& ops) {
    return on(hardware, two_ranks("rank 0\nlane compute\n" + ops + "rank 1\n")).makespan_ps;
  };
  EXPECT_EQ(makespan("copy b[0:250] a[0:250]\n"), 1'001'000);
  EXPECT_EQ(makespan("copy b[0:250] a@1[0:250]\n"), 501'000);
  EXPECT_EQ(makespan("put b@1[0:250] a[0:250] arrived got\n"), 1'001'000);
  EXPECT_EQ(makespan("copy b[0:250] a[0:250]\nreduce b[0:250] a@1[0:250]\n"), 1'001'000);
  EXPECT_EQ(makespan("copy b[0:249] a[0:249]\n"), 1'993'000);
}

TEST(SimulateOnAHost, AWaitBeginsWhenItsLaneComesToItAndEndsWhenTheRankHasTimeForIt) {
  const Timeline timeline = on(host(), two_ranks("rank 0\nlane copy0\nwait got >= 1\n"
                                                 "lane compute\ngemm s[0:2, 0:2] t[0:2, 0:2] u[0:2, 0:2] ij,jk->ik\n"
                                                 "rank 1\nlane compute\nsignal 0 got\n"));
  EXPECT_THAT(periods(timeline), ElementsAre(std::pair(0, 10'002'000), std::pair(0, 10'001'000), std::pair(0, 1'000)));
}

TEST(SimulateOnAHost, WhoWaitsLongSleepsAndTakesLongerToNotice) {
  std::string copies;
  for (int i = 0; i < 11; ++i) copies += "copy b[0:250] a[0:250]\n";
  const Timeline timeline =
      on(host(), two_ranks("rank 0\nlane compute\n" + copies + "signal 1 got\nrank 1\nlane compute\nwait got >= 1\n"));
  EXPECT_EQ(timeline.makespan_ps, 11 * 2'001'000 + 1'000 + 5'000'000 + 1'000);
}

TEST(SimulateOnAHost, RanksThatOutnumberCoresTakeTurns) {
  Hardware hardware = host();
  hardware.host->cores = 1;
  const Timeline timeline = on(hardware, two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\n"
                                                   "rank 1\nlane compute\ncopy b[0:250] a[0:250]\n"));
  EXPECT_THAT(periods(timeline), ElementsAre(std::pair(0, 2'001'000), std::pair(2'001'000, 4'002'000)));
  EXPECT_THAT(timeline.critical_path, ElementsAre(PathStep{Blame::kCompute, 0, -1, 0, 2'001'000},
                                                  PathStep{Blame::kCompute, 1, -1, 2'001'000, 4'002'000}));
}

TEST(SimulateOnAHost, SeveralRanksMoveBytesAsBusyOnesDo) {
  Hardware hardware = host();
  hardware.host->copies.busy_bytes_per_second = {5e8};
  const Timeline timeline = on(hardware, two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\nrank 1\n"));
  EXPECT_EQ(timeline.makespan_ps, 4'001'000);
  const Schedule alone = parse_schedule(
      "meshmul schedule 1\nmesh X=1\nrequires strided\nbuffer a f32 [250] symmetric\n"
      "buffer b f32 [250] symmetric\nrank 0\nlane compute\ncopy b[0:250] a[0:250]\n");
  EXPECT_EQ(on(hardware, alone).makespan_ps, 2'001'000);
}

TEST(SimulateOnAHost, RatesAreThoseOfAllBuffersOfARank) {
  Hardware hardware = host();
  hardware.host->copies = {{2048, 1e9}, {4e9, 1e9}, {}};
  const Timeline timeline = on(hardware, two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\nrank 1\n"));
  EXPECT_EQ(timeline.makespan_ps, 501'000);
}

TEST(SimulateOnAHost, ADtypeWithoutATableGoesByTheRateOfTheChip) {
  Hardware hardware = host();
  hardware.host->products.clear();
  hardware.chip.flops_per_second = {{Dtype::kF32, 1e9}};
  const Timeline timeline =
      on(hardware, two_ranks("rank 0\nlane compute\ngemm s[0:2, 0:2] t[0:2, 0:2] u[0:2, 0:2] ij,jk->ik\nrank 1\n"));
  EXPECT_EQ(timeline.makespan_ps, 17'000);
  hardware.chip.flops_per_second.clear();
  EXPECT_THAT(error_of([&] {
                on(hardware,
                   two_ranks("rank 0\nlane compute\ngemm s[0:2, 0:2] t[0:2, 0:2] u[0:2, 0:2] ij,jk->ik\nrank 1\n"));
              }),
              HasSubstr("f32"));
}

TEST(SimulateOnAHost, AScheduleThatStallsIsRefusedWithItsCycle) {
  EXPECT_THAT(error_of([] {
                on(host(), two_ranks("rank 0\nlane compute\nwait got >= 1\nsignal 1 got\n"
                                     "rank 1\nlane compute\nwait got >= 1\nsignal 0 got\n"));
              }),
              HasSubstr("wait"));
}

}  // namespace
}  // namespace meshmul
