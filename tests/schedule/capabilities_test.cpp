#include "schedule/capabilities.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

TEST(Capabilities, ABoxIsContiguousIfAllBehindItsFirstLongDimensionIsWhole) {
  const Shape shape = {4, 5, 6};
  EXPECT_TRUE(is_contiguous(Box{{0, 4}, {0, 5}, {0, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{1, 3}, {0, 5}, {0, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{2, 3}, {1, 4}, {0, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{2, 3}, {1, 2}, {2, 5}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{2, 3}, {1, 2}, {2, 3}}, shape));
  EXPECT_FALSE(is_contiguous(Box{{1, 3}, {0, 4}, {0, 6}}, shape));
  EXPECT_FALSE(is_contiguous(Box{{2, 3}, {1, 4}, {0, 5}}, shape));
}

TEST(Capabilities, EmptyBoxesAndScalarsAreContiguous) {
  EXPECT_TRUE(is_contiguous(Box{{0, 2}, {3, 3}}, {4, 5}));
  EXPECT_TRUE(is_contiguous(Box{}, {}));
}

/// What one op in lane x of rank 0 of two requires.
Capabilities required_by(const std::string& op) {
  return required_capabilities(
      parse_schedule("meshmul schedule 1\nmesh X=2\nrequires get addressable strided\nbuffer a f32 [4, 6] symmetric\n"
                     "buffer b f32 [4, 6] symmetric\nsignal s\nrank 0\nlane x\n" +
                     op + "\n"));
}

TEST(Capabilities, AreWhatTheOpsUse) {
  const Capabilities nothing{.get = false, .addressable = false, .strided = false, .barrier = false};
  const Capabilities get{.get = true, .addressable = false, .strided = false, .barrier = false};
  const Capabilities addressable{.get = false, .addressable = true, .strided = false, .barrier = false};
  const Capabilities strided{.get = false, .addressable = false, .strided = true, .barrier = false};
  EXPECT_EQ(required_by("put a@1[0:2, 0:6] b[1:3, 0:6] arrived s"), nothing);
  EXPECT_EQ(required_by("put a@1[0:2, 0:6] b[1:2, 0:6] arrived s"), nothing);
  EXPECT_EQ(required_by("put a@1[0:2, 0:3] b[0:2, 0:3] arrived s"), strided);
  EXPECT_EQ(required_by("get a[0:2, 0:6] b@1[1:3, 0:6] arrived s"), get);
  EXPECT_EQ(required_by("copy a[0:2, 0:3] b[0:2, 0:3]"), nothing);
  EXPECT_EQ(required_by("copy a[0:2, 0:3] b@1[0:2, 0:3]"), addressable);
  EXPECT_EQ(required_by("copy a[0:2, 0:3] b[0:2, 0:3] arrived s"), addressable);
  EXPECT_EQ(required_by("map a@1[0:2, 0:3] zero"), addressable);
  EXPECT_EQ(required_by("gemm a[0:2, 0:3] b@1[0:2, 0:4] b[0:3, 0:4] ij,kj->ik"), addressable);
  EXPECT_EQ(required_by("reduce a@1[0:0, 0:3] b[0:0, 0:3]"), addressable) << "also where it touches nothing";
  EXPECT_EQ(required_by("signal 1 s"), nothing);
}

TEST(Capabilities, OpsDoNotTellWhetherABarrierIsNeeded) {
  EXPECT_TRUE(required_capabilities(parse_schedule("meshmul schedule 1\nmesh X=2\nrequires barrier\n")).barrier);
  EXPECT_FALSE(required_capabilities(parse_schedule("meshmul schedule 1\nmesh X=2\nrequires nothing\n")).barrier);
}

}  // namespace
}  // namespace meshmul
