#include "verify/of_zeros.hpp"

#include <gmock/gmock.h>

namespace meshmul::verification {
namespace {

TEST(OfZeros, AFunctionOfOneArrayIsZeros) {
  EXPECT_EQ(of_zeros(MapFunction::kGelu, true, false), OfZeros::kZeros);
  EXPECT_EQ(of_zeros(MapFunction::kConvert, true, false), OfZeros::kZeros);
  EXPECT_EQ(of_zeros(MapFunction::kGelu, false, false), std::nullopt);
}

TEST(OfZeros, ASumIsTheOtherTerm) {
  EXPECT_EQ(of_zeros(MapFunction::kAdd, true, false), OfZeros::kSecond);
  EXPECT_EQ(of_zeros(MapFunction::kAdd, false, true), OfZeros::kFirst);
  EXPECT_EQ(of_zeros(MapFunction::kBias, false, true), OfZeros::kFirst);
  EXPECT_EQ(of_zeros(MapFunction::kBias, true, false), std::nullopt) << "the vector has fewer dimensions";
}

TEST(OfZeros, AGradientIsZerosIfTheOneBehindItIs) {
  EXPECT_EQ(of_zeros(MapFunction::kGeluGrad, false, true), OfZeros::kZeros);
  EXPECT_EQ(of_zeros(MapFunction::kGeluGrad, true, false), std::nullopt) << "gelu rises at 0";
}

}  // namespace
}  // namespace meshmul::verification
