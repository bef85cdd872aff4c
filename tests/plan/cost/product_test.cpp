// Formula (9) of docs/cost-model.md.
#include "plan/cost/product.hpp"

#include <gtest/gtest.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// 100 FLOP/s of which 80 are reached, in units of 4; memory of 1000 B/s.
Hardware hardware() {
  Hardware toy;
  toy.name = "toy";
  toy.chip.flops_per_second[Dtype::kF32] = 100;
  toy.chip.efficiency = 0.8;
  toy.chip.matrix_unit = 4;
  toy.chip.memory_bytes_per_second = 1000;
  return toy;
}

ProductRates rates(const CostSettings& settings = {}) { return {hardware(), settings, Dtype::kF32}; }

TEST(ProductCost, TakesTheLongerOfComputingAndLoading) {
  const StepCost computing = product_cost(rates(), {1, 4, 8, 8}, 2000);
  EXPECT_NEAR(computing.seconds, 5.12, 1e-11);
  EXPECT_DOUBLE_EQ(computing.compute_seconds, 5.12);
  EXPECT_DOUBLE_EQ(computing.memory_seconds, 2);
  EXPECT_EQ(computing.flops, 512);
  EXPECT_EQ(computing.bound, Bound::kCompute);
  const StepCost loading = product_cost(rates(), {1, 4, 8, 8}, 9000);
  EXPECT_DOUBLE_EQ(loading.seconds, 9);
  EXPECT_EQ(loading.bound, Bound::kMemory);
  EXPECT_EQ(product_cost(rates(), {1, 0, 8, 8}, 0).bound, Bound::kNone);
}

TEST(ProductCost, EachOfMNKIsPaddedToTheMatrixUnitAndABatchIsNot) {
  const double whole = product_cost(rates(), {1, 8, 8, 8}, 0).seconds;
  EXPECT_EQ(product_cost(rates(), {1, 5, 8, 8}, 0).seconds, whole);
  EXPECT_EQ(product_cost(rates(), {1, 8, 5, 8}, 0).seconds, whole);
  EXPECT_EQ(product_cost(rates(), {1, 8, 8, 5}, 0).seconds, whole);
  EXPECT_NEAR(product_cost(rates(), {3, 8, 8, 8}, 0).seconds, 3 * whole, 1e-10);
  EXPECT_EQ(product_cost(rates(), {1, 5, 5, 5}, 0).flops, 2 * 125);
}

TEST(ProductCost, TheBookDoesNotPad) {
  EXPECT_DOUBLE_EQ(product_cost(rates(*find_cost_model("book")), {1, 5, 5, 5}, 0).seconds, 2.5);
}

TEST(ProductCost, EfficiencyCountsWhereItIsAskedFor) {
  EXPECT_NEAR(product_cost(rates(*find_cost_model("measured")), {1, 4, 8, 8}, 0).seconds, 5.12 / 0.8, 1e-11);
}

TEST(ProductCost, AChipThatDoesNotMultiplyTheDtypeIsRefused) {
  EXPECT_THROW(ProductRates(hardware(), {}, Dtype::kF64), Error);
}

}  // namespace
}  // namespace meshmul
