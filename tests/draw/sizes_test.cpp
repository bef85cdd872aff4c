#include <gtest/gtest.h>

#include "draw/sample.hpp"
#include "draw/two_ranks.hpp"

namespace meshmul {
namespace {

using testing::Sample;

void expect_near(std::int64_t estimated, std::size_t written, std::string_view what) {
  const auto real = static_cast<double>(written);
  EXPECT_GT(static_cast<double>(estimated), 0.75 * real) << what << ": " << estimated << " for " << written;
  EXPECT_LT(static_cast<double>(estimated), 1.25 * real) << what << ": " << estimated << " for " << written;
}

TEST(Sizes, AreEstimatedToAQuarter) {
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
    for (const std::string_view mesh : {"X=2,Y=2", "X=8,Y=4", "X=8,Y=8"}) {
      const Sample sample =
          testing::sample("bf16 A[I=8192_X, J=4096_Y] * B[J=4096_Y, K=8192_X] -> C[I_X, K_Y]", mesh, "v5p", algorithm);
      for (const Drawing& drawing : {sample.drawing(), sample.both()}) {
        expect_near(estimated_page_bytes(drawing), page_html(drawing).size(), "page");
        expect_near(estimated_trace_bytes(drawing), trace_json(drawing).size(), "trace");
      }
    }
}

TEST(Sizes, OfManyOpsOnASwitchAreEstimatedToo) {
  const Sample sample = testing::sample("f32 A[I=8192_X, J=4096] -> A[I, J_X]", "X=64", "v5p", Algorithm::kDirect);
  expect_near(estimated_page_bytes(sample.drawing()), page_html(sample.drawing()).size(), "page");
  expect_near(estimated_trace_bytes(sample.drawing()), trace_json(sample.drawing()).size(), "trace");
}

TEST(Sizes, FewerRanksAreShorter) {
  const Sample sample = testing::sample("f32 A[I=8192_X, J=4096] -> A[I, J_X]", "X=16");
  Drawing some = sample.drawing();
  some.ranks = RankRange{0, 3};
  EXPECT_LT(estimated_trace_bytes(some), estimated_trace_bytes(sample.drawing()) / 2);
  expect_near(estimated_trace_bytes(some), trace_json(some).size(), "trace");
  expect_near(estimated_page_bytes(some), page_html(some).size(), "page");
}

TEST(Sizes, OfAPlanAloneIsThatOfItsPage) {
  const Sample sample = testing::small_sample();
  const Drawing drawing{.plan = &sample.plan};
  expect_near(estimated_page_bytes(drawing), page_html(drawing).size(), "page");
}

}  // namespace
}  // namespace meshmul
