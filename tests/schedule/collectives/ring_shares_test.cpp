#include "schedule/collectives/ring_shares.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace meshmul {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(BalancedShares, OfAxesOfOneSizeAreEqual) {
  EXPECT_THAT(balanced_shares({4, 4}), ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.5, 1e-12)));
  for (const double share : balanced_shares({3, 3, 3})) EXPECT_NEAR(share, 1.0 / 3, 1e-12);
}

TEST(BalancedShares, OfTwoAxesAreAsTheFormulaSays) {
  for (const int x : {2, 3, 4, 16})
    for (const int y : {2, 5, 8}) {
      const double first = x * y + 1 - 2 * y;
      const double second = x * y + 1 - 2 * x;
      EXPECT_NEAR(balanced_shares({x, y})[0], first / (first + second), 1e-12);
    }
}

TEST(BalancedShares, GiveAllAxesTheSameToCarry) {
  const std::vector<int> sizes = {2, 3, 8};
  const std::vector<double> shares = balanced_shares(sizes);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
  std::vector<double> carried(3, 0);
  for (std::size_t part = 0; part < 3; ++part) {
    double held = shares[part];
    for (std::size_t phase = 0; phase < 3; ++phase) {
      const std::size_t axis = (part + phase) % 3;
      carried[axis] += held * (sizes[axis] - 1);
      held *= sizes[axis];
    }
  }
  for (const double blocks : carried) EXPECT_NEAR(blocks, 47.0 / 3, 1e-9);
}

}  // namespace
}  // namespace meshmul
