#include "schedule/product_steps.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::Eq;
using ::testing::Optional;

Move move(MoveKind kind, Operand operand) {
  Move move;
  move.kind = kind;
  move.operand = operand;
  return move;
}

TEST(ProductSteps, AreTheLastMoveOfEachOperandAndTheNextOfTheSums) {
  const ProductSteps steps =
      product_steps({move(MoveKind::kAllToAll, Operand::kA), move(MoveKind::kAllGather, Operand::kA),
                     move(MoveKind::kPermute, Operand::kB), LocalProduct(), move(MoveKind::kReduceScatter, Operand::kC),
                     move(MoveKind::kAllReduce, Operand::kC)});
  EXPECT_THAT(steps.a, Optional(1U));
  EXPECT_THAT(steps.b, Optional(2U));
  EXPECT_THAT(steps.product, Optional(3U));
  EXPECT_THAT(steps.reduce, Optional(4U));
}

TEST(ProductSteps, MovesThatAddUpOrLieBehindASliceAreNotAmongThem) {
  const ProductSteps steps =
      product_steps({move(MoveKind::kReduceScatter, Operand::kA), move(MoveKind::kAllGather, Operand::kB),
                     move(MoveKind::kSlice, Operand::kB), LocalProduct(), move(MoveKind::kAllGather, Operand::kC)});
  EXPECT_THAT(steps.a, Eq(std::nullopt));
  EXPECT_THAT(steps.b, Eq(std::nullopt));
  EXPECT_THAT(steps.reduce, Eq(std::nullopt));
}

TEST(ProductSteps, AFunctionOfArraysHasNone) {
  EXPECT_THAT(product_steps({move(MoveKind::kAllGather, Operand::kA), LocalMap()}).product, Eq(std::nullopt));
}

TEST(OverlappedSteps, SumsBehindAPushedOperandComeLater) {
  const std::vector<ProgramStep> steps = {move(MoveKind::kAllGather, Operand::kA), LocalProduct(),
                                          move(MoveKind::kReduceScatter, Operand::kC)};
  OverlapOptions options;
  EXPECT_THAT(overlapped_steps(steps, options).product, Eq(std::nullopt)) << "sequential";
  options.gather = Design::kPush;
  options.reduce = Design::kPush;
  EXPECT_THAT(overlapped_steps(steps, options).a, Optional(0U));
  EXPECT_THAT(overlapped_steps(steps, options).reduce, Eq(std::nullopt));
  options.gather = Design::kSequential;
  EXPECT_THAT(overlapped_steps(steps, options).a, Eq(std::nullopt));
  EXPECT_THAT(overlapped_steps(steps, options).reduce, Optional(2U));
}

}  // namespace
}  // namespace meshmul
