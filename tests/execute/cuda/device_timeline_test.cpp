// From what devices noted to a timeline: whole, in order, and counted from one beginning.

#include "execute/cuda/device_timeline.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace meshmul::cuda {
namespace {

using testing::ElementsAre;

/// Spans in ns from the first one on: `begin-end`.
std::vector<std::string> spans(const Schedule& schedule, const std::vector<std::vector<DeviceOpTimes>>& times) {
  std::vector<std::span<const DeviceOpTimes>> of_ranks(times.begin(), times.end());
  if (times.size() == 1) of_ranks.assign(static_cast<std::size_t>(schedule.num_ranks()), times.front());
  std::vector<std::string> texts;
  for (const Span& span : device_timeline(schedule, of_ranks).spans)
    texts.push_back(fmt::format("{}-{}", span.start_ps / 1000, span.end_ps / 1000));
  return texts;
}

constexpr const char* kOpening =
    "meshmul schedule 1\nmesh X=2\nrequires get addressable strided\nbuffer A f32 [4, 4] symmetric\n"
    "buffer B f32 [4, 4] symmetric\nbuffer C f32 [4, 4] symmetric\nsignal s\nsignal t\n";
Schedule parsed(std::initializer_list<const char*> parts) {
  std::string text = kOpening;
  for (const char* part : parts) text += part;
  return parse_schedule(text);
}

constexpr const char* kCopy = "copy B[0:4, 0:4] A[0:4, 0:4]\n";
constexpr const char* kGemm = "gemm C[0:4, 0:4] A[0:4, 0:4] B[0:4, 0:4] ik,kj->ij\n";
constexpr DeviceOpTimes kNothing;

TEST(DeviceTimeline, LetsWaitsLastUntilTheNextOpOfTheLaneBegins) {
  const Schedule schedule =
      parsed({"rank 0\nlane compute\n", kCopy, "wait s >= 1\nwait t >= 1\n", kCopy, "wait s >= 2\n"});
  EXPECT_THAT(spans(schedule, {{{100, 110}, kNothing, kNothing, {150, 170}, kNothing, {100, 100}}}),
              ElementsAre("0-10", "10-50", "50-50", "50-70", "70-70"));
}

TEST(DeviceTimeline, GivesTheFirstOfProductsThatAreOneAllTheTime) {
  const Schedule schedule = parsed({"rank 0\nlane compute\n", kGemm, kGemm, kGemm, "signal 1 s\n", kGemm});
  EXPECT_THAT(spans(schedule, {{{100, 140}, kNothing, kNothing, kNothing, {160, 180}, {100, 100}}}),
              ElementsAre("0-40", "40-40", "40-40", "40-40", "60-80"));
}

TEST(DeviceTimeline, GivesTheLastOfOpsThatAreOneSumAllTheTime) {
  const Schedule schedule =
      parsed({"rank 0\nlane compute\n", kCopy, "wait s >= 1\nwait t >= 1\n", "reduce B[0:4, 0:4] A[0:4, 0:4]\n"});
  EXPECT_THAT(spans(schedule, {{kNothing, kNothing, kNothing, {150, 170}, {100, 100}}}),
              ElementsAre("0-0", "0-50", "50-50", "50-70"));
}

TEST(DeviceTimeline, NeverLetsOpsOfALaneOverlapButThoseOfTwoLanes) {
  const Schedule schedule = parsed({"rank 0\nlane compute\n", kCopy, kCopy, kCopy, "lane copy0\n", kCopy});
  // The third began, and ended, within the second.
  EXPECT_THAT(spans(schedule, {{{100, 140}, {120, 180}, {130, 150}, {110, 170}, {100, 100}}}),
              ElementsAre("0-40", "40-80", "80-80", "10-70"));
}

TEST(DeviceTimeline, CountsFromTheBeginningByTheClockOfEachDevice) {
  const Schedule schedule =
      parsed({"rank 0\nlane compute\n", kCopy, "rank 1\nlane compute\nwait s >= 1\n", kCopy, "lane copy0\n", kCopy});
  // Each device has words for all ops, and notes those of its rank.
  const std::vector<DeviceOpTimes> first{{1000, 1030}, kNothing, kNothing, kNothing, {1000, 1000}};
  const std::vector<DeviceOpTimes> second{kNothing, kNothing, {90, 95}, {75, 80}, {70, 70}};
  EXPECT_THAT(spans(schedule, {first, second}), ElementsAre("0-30", "0-20", "20-25", "5-10"));
}

TEST(DeviceTimeline, IsEmptyWhereNothingWasNoted) {
  const Schedule schedule = parsed({"rank 0\nlane compute\nwait s >= 1\nrank 1\nlane compute\nsignal 0 s\n"});
  EXPECT_THAT(spans(schedule, {{kNothing, kNothing, {100, 100}}}), ElementsAre("0-0", "0-0"));
}

}  // namespace
}  // namespace meshmul::cuda
