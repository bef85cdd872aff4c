#include "check/program/error_scale.hpp"

#include <gmock/gmock.h>

namespace meshmul::checking {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;

TEST(ErrorScale, WithoutErrorsItIsZero) { EXPECT_THAT(error_scales({0, 0}, {1, 2}, {2}, 1), Each(0.0)); }

TEST(ErrorScale, EqualErrorsHaveOneScale) {
  const std::vector<double> squares(32 * 32, 4.0);
  EXPECT_THAT(error_scales(squares, std::vector<double>(squares.size()), {32, 32}, 1), Each(DoubleNear(2, 1e-12)));
}

TEST(ErrorScale, RowsAndColumnsHaveScalesOfTheirOwn) {
  std::vector<double> squares;
  for (int row = 0; row < 20; ++row)
    for (int column = 0; column < 30; ++column) {
      const double error = (row == 3 ? 100 : 1) * (column == 7 ? 10 : 1);
      squares.push_back(error * error);
    }
  const std::vector<double> scales = error_scales(squares, std::vector<double>(squares.size()), {20, 30}, 1);
  for (std::size_t i = 0; i < squares.size(); ++i) EXPECT_NEAR(scales[i] * scales[i], squares[i], 1e-6 * squares[i]);
}

TEST(ErrorScale, WherePositionsHaveFewSamplesSizeCounts) {
  std::vector<double> squares(100, 1.0);
  std::vector<double> values(100, 1.0);
  values[5] = 50;
  const std::vector<double> scales = error_scales(squares, values, {100}, 1);
  EXPECT_NEAR(scales[0], 1, 1e-12);
  EXPECT_GT(scales[5], 9);
}

}  // namespace
}  // namespace meshmul::checking
