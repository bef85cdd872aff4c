#include "plan/program/program_search.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "meshmul/pareto.hpp"
#include "plan/program/gradient_search.hpp"

namespace meshmul {
namespace {

using ::testing::HasSubstr;

class ProgramSearchTest : public testing::GradientSearchTest {};

TEST_F(ProgramSearchTest, SaysWhatToDoIfTooMuchIsOpen) {
  SearchTerms terms = terms_;
  terms.most_entries = 10;
  try {
    search_program(prepared_, terms);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), HasSubstr("more than 10 ways to begin it"));
    EXPECT_THAT(error.what(), HasSubstr("write the shardings of some arrays down"));
  }
}

class SearchOfAGradient : public ::testing::Test {
 protected:
  const Mesh mesh_{{"X", 2}, {"Y", 2}};
  const Program program_ = parse_program(
      "In[B=64, D=32_X]\nW1[D, F=64]?\nW2[F, D]?\nH = relu(In * W1)\nOut = H * W2 like In\n"
      "grad Out(dOut) -> dW1, dW2\n",
      mesh_);
  const Hardware hardware_ = testing::toy_hardware();
  const std::vector<ProgramPlan> front_ = pareto_front(program_, mesh_, hardware_, {});

  ProgramPlan within(std::int64_t bytes) const {
    PlanOptions options;
    options.memory_bytes = bytes;
    return plan(program_, mesh_, hardware_, options);
  }
};

TEST_F(SearchOfAGradient, FindsTheFastestOfTheFront) {
  EXPECT_DOUBLE_EQ(plan(program_, mesh_, hardware_, {}).best.seconds_sequential,
                   front_.front().best.seconds_sequential);
}

TEST_F(SearchOfAGradient, FindsTheFastestThatFits) {
  ASSERT_GT(front_.size(), 1U);
  for (const ProgramPlan& of_front : front_) {
    const PlannedProgram found = within(of_front.best.peak_bytes).best;
    EXPECT_DOUBLE_EQ(found.seconds_sequential, of_front.best.seconds_sequential);
    EXPECT_LE(found.peak_bytes, of_front.best.peak_bytes);
  }
}

TEST_F(SearchOfAGradient, SaysTheSmallestPeakIfNothingFits) {
  const std::int64_t smallest = front_.back().best.peak_bytes;
  try {
    within(smallest - 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the least that one takes is " + std::to_string(smallest)));
  }
}

// Of what looks fastest at first nothing fits.
TEST(SearchOfTwoLayers, FindsWhatFits) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  const Program program = parse_program(
      "bf16 In[B=4096, D=2048]?\nbf16 W1[D, F=8192]?\nbf16 W2[F, D]?\nbf16 W3[D, F]?\nbf16 W4[F, D]?\n"
      "H1 = gelu(In * W1)\nX1 = H1 * W2 like In\nH2 = gelu(X1 * W3)\nOut = H2 * W4 like In\n"
      "grad Out(dOut) -> dIn, dW1, dW2, dW3, dW4\n",
      mesh);
  PlanOptions options;
  options.memory_bytes = 180'000'000;
  const ProgramPlan found = plan(program, mesh, testing::toy_hardware(), options);
  EXPECT_LE(found.best.peak_bytes, 180'000'000);
}

}  // namespace
}  // namespace meshmul
