#include "check/error_model.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "meshmul/element.hpp"

namespace meshmul::checking {
namespace {

Product product(const std::string& dtype) {
  return std::get<Product>(parse_statement(dtype + " A[I=4, J=4] * B[J, K=4] -> C[I, K]", Mesh()));
}

TEST(ErrorModel, UnitRoundoffIsHalfTheSpacingAfterOne) {
  for (const Dtype dtype : {Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3}) {
    const auto round = [&](double value) {
      return with_element_type(dtype, [&]<class T>() { return to_double(convert<T>(value)); });
    };
    const double u = unit_roundoff(dtype);
    EXPECT_EQ(round(1 + 2 * u), 1 + 2 * u) << name(dtype);
    EXPECT_EQ(round(1 + 0.99 * u), 1) << name(dtype);
    const double tiny = underflow_error(dtype);
    EXPECT_EQ(round(0.99 * tiny), 0) << name(dtype);
    EXPECT_EQ(round(2 * tiny), 2 * tiny) << name(dtype);
  }
  EXPECT_EQ(unit_roundoff(Dtype::kF64), std::numeric_limits<double>::epsilon() / 2);
}

TEST(ErrorModel, GrowthIsLinearForShortSumsAndARootForLongOnesInF32) {
  EXPECT_EQ(growth(Dtype::kF32, 0), 0);
  EXPECT_EQ(growth(Dtype::kF32, 7), 7);
  EXPECT_EQ(growth(Dtype::kF32, 100), 100);
  EXPECT_EQ(growth(Dtype::kF32, 10'000), 1000);
  EXPECT_EQ(growth(Dtype::kF64, 10'000), 10'000);
}

TEST(ErrorModel, IntegersAreExact) {
  const ErrorModel model = error_model(product("i8"), 1000, 1, 1, {.partial_sums = 8});
  EXPECT_EQ(model.bound({.expected = 1e6, .absolute = 1e7, .root_squares = 1e5, .partial_range = 1e6}), 0);
}

TEST(ErrorModel, SumsRoundInTheAccumulatorAndOnceInTheOutput) {
  const ErrorModel model = error_model(product("bf16"), 400, 1, 1, {});
  EXPECT_EQ(model.sums, 200 * 0x1p-24);
  EXPECT_EQ(model.output, 0x1p-8);
  EXPECT_EQ(model.partial, 0);
  EXPECT_EQ(model.inputs, 0);
  EXPECT_NEAR(model.bound({.expected = -3, .absolute = 100, .root_squares = 10, .partial_range = 0}),
              100 * 200 * 0x1p-24 + 0x1p-8 * 3, 1e-5);
}

TEST(ErrorModel, BoundsStayFiniteWhereSquaresOverflow) {
  const double infinity = std::numeric_limits<double>::infinity();
  const ElementSums sums{.expected = 1e300, .absolute = 2e300, .root_squares = infinity, .partial_range = 0};
  EXPECT_NEAR(error_model(product("f64"), 4, 1, 1, {}).bound(sums), 0x1p-53 * (4 * 2e300 + 1e300), 1e270);
  EXPECT_LT(error_model(product("f64"), 4, 2, 1, {.partial_sums = 4}).bound(sums), 1e287);
}

TEST(ErrorModel, PartialSumsRoundToTheWireDtype) {
  EXPECT_EQ(error_model(product("bf16"), 400, 1, 1, {.partial_sums = 4}).partial, 4 * 0x1p-8);
  EXPECT_EQ(error_model(product("bf16"), 400, 1, 1, {.partial_sums = 4, .wire_dtype = Dtype::kF32}).partial,
            4 * 0x1p-24);
}

TEST(ErrorModel, PartialInputsMayBeAddedBeforeTheProduct) {
  EXPECT_EQ(error_model(product("bf16"), 400, 3, 1, {}).inputs, 20 * 0x1p-8);
}

}  // namespace
}  // namespace meshmul::checking
