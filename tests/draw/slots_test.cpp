#include "draw/slots.hpp"

#include <gtest/gtest.h>

namespace meshmul::drawing {
namespace {

TEST(Slots, WhatFollowsOneUponTheOtherStaysOnOneRow) {
  Slots slots;
  EXPECT_EQ(slots.take(0, 5), 0U);
  EXPECT_EQ(slots.take(5, 5), 0U);
  EXPECT_EQ(slots.take(5, 9), 0U);
}

TEST(Slots, WhatOverlapsGetsTheFirstRowThatIsFree) {
  Slots slots;
  EXPECT_EQ(slots.take(0, 9), 0U);
  EXPECT_EQ(slots.take(1, 4), 1U);
  EXPECT_EQ(slots.take(3, 5), 2U);
  EXPECT_EQ(slots.take(4, 6), 1U);
  EXPECT_EQ(slots.take(9, 10), 0U);
}

}  // namespace
}  // namespace meshmul::drawing
