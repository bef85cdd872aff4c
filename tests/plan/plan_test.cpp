#include "meshmul/plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "notation/print.hpp"
#include "plan/explain.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

/// The steps as `AllGather_X of B`.
std::vector<std::string> steps(const Plan& plan) {
  std::vector<std::string> labels;
  for (const Step& step : plan.steps) labels.push_back(step_label(step, plan.mesh));
  return labels;
}

Plan planned(const std::string& text, const Mesh& mesh, const PlanOptions& options = {},
             const std::string& hardware = "v5p") {
  return plan(parse_statement(text, mesh), mesh, find_hardware(hardware), options);
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

const Mesh kX4{{"X", 4}};
const Mesh kX4Y4{{"X", 4}, {"Y", 4}};

// The four cases of a sharded product.

TEST(Plan, Case1NothingMoves) {
  EXPECT_THAT(steps(planned("bf16 A[I=8192_X, J=8192] * B[J, K=8192_Y] -> C[I_X, K_Y]", kX4Y4)),
              ElementsAre("local product"));
}

TEST(Plan, Case2TheSmallerWayIsTaken) {
  // A small: gather it. A large: slice B for free and add the partial sums.
  EXPECT_THAT(steps(planned("bf16 A[I=128, J=1024_X] * B[J, K=1024] -> C[I, K]", kX4)),
              ElementsAre("AllGather_X of A", "local product"));
  EXPECT_THAT(steps(planned("bf16 A[I=8192, J=32768_X] * B[J, K=512] -> C[I, K]", kX4)),
              ElementsAre("Slice_X of B", "local product", "AllReduce_X of C"));
  EXPECT_THAT(steps(planned("bf16 A[I=8192, J=32768_X] * B[J, K=512] -> C[I_X, K]", kX4)),
              ElementsAre("Slice_X of B", "local product", "ReduceScatter_X of C"));
}

TEST(Plan, Case3PartialSumsAreAdded) {
  EXPECT_THAT(steps(planned("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K]", kX4)),
              ElementsAre("local product", "AllReduce_X of C"));
  EXPECT_THAT(steps(planned("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K_X]", kX4)),
              ElementsAre("local product", "ReduceScatter_X of C"));
}

TEST(Plan, Case4TheSmallerInputIsGathered) {
  EXPECT_THAT(steps(planned("bf16 A[I=512_X, J=4096] * B[J, K=65536_X] -> C[I, K_X]", kX4)),
              ElementsAre("AllGather_X of A", "local product"));
  EXPECT_THAT(steps(planned("bf16 A[I=65536_X, J=4096] * B[J, K=512_X] -> C[I_X, K]", kX4)),
              ElementsAre("AllGather_X of B", "local product"));
}

TEST(Plan, TheStepsOfAPlanJoin) {
  const Plan plan = planned("bf16 A[I=64_XY, J=96] * B[J_YX, K=128] -> C[I, K_X]", kX4Y4);
  const auto& product = std::get<Product>(plan.statement);
  ArrayType at[] = {product.a, product.b, product.c};
  for (const Step& step : plan.steps) {
    if (const auto* local = std::get_if<LocalProduct>(&step)) {
      EXPECT_EQ(local->a, at[0]);
      EXPECT_EQ(local->b, at[1]);
      at[2] = local->c;
    } else {
      const Move& move = std::get<Move>(step);
      EXPECT_EQ(move.from, at[static_cast<int>(move.operand)]);
      at[static_cast<int>(move.operand)] = move.to;
    }
  }
  EXPECT_EQ(at[2], product.c);
}

}  // namespace
}  // namespace meshmul
