#include "schedule/knowledge.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

TEST(Knowledge, WhatWasNeverLearntIsZero) {
  Knowledge knowledge;
  EXPECT_EQ(knowledge.count(3), 0);
  knowledge.learn(5, 2);
  EXPECT_EQ(knowledge.count(3), 0);
  EXPECT_EQ(knowledge.count(5), 2);
}

TEST(Knowledge, OnlyGrows) {
  Knowledge knowledge;
  knowledge.learn(5, 2);
  knowledge.learn(5, 1);
  EXPECT_EQ(knowledge.count(5), 2);
  knowledge.learn(5, 7);
  EXPECT_EQ(knowledge.count(5), 7);
}

TEST(Knowledge, TakesTheLargerOfEachComponent) {
  Knowledge mine;
  mine.learn(1, 4);
  mine.learn(3, 1);
  mine.learn(9, 2);
  Knowledge theirs;
  theirs.learn(0, 8);
  theirs.learn(1, 2);
  theirs.learn(3, 5);
  mine.learn(theirs);
  EXPECT_EQ(mine.count(0), 8);
  EXPECT_EQ(mine.count(1), 4);
  EXPECT_EQ(mine.count(3), 5);
  EXPECT_EQ(mine.count(9), 2);
}

}  // namespace
}  // namespace meshmul
