#include "execute/symmetric/transfer_pieces.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace meshmul {
namespace {

HostArray counted(const Shape& shape) {
  HostArray array(dtype::i32, shape);
  const std::span<std::int32_t> elements = array.elements<std::int32_t>();
  std::iota(elements.begin(), elements.end(), 1);
  return array;
}

TEST(TransferPieces, AreAllReadBeforeTheTransferIsAndAllWrittenBeforeItHasArrived) {
  HostArray src = counted({2, 3}), dst(dtype::i32, {2, 3});
  TransferPieces pieces(dst.view(), src.view(), 3);
  for (int i = 0; i < 2; ++i) pieces.advance(0);  // the first piece from beginning to end
  EXPECT_EQ(pieces.reached(), Event::kStart);
  EXPECT_THAT(dst.elements<std::int32_t>(), ::testing::ElementsAre(1, 0, 0, 4, 0, 0)) << "along the longest dimension";
  EXPECT_EQ(pieces.num_choices(), 2);
  pieces.advance(0);
  pieces.advance(1);
  EXPECT_EQ(pieces.reached(), Event::kReadDone);
  std::ranges::fill(src.elements<std::int32_t>(), -1);  // its source may be overwritten
  pieces.advance(1);
  EXPECT_EQ(pieces.reached(), Event::kReadDone);
  pieces.advance(0);
  EXPECT_EQ(pieces.reached(), Event::kWriteVisible);
  EXPECT_EQ(pieces.num_choices(), 0);
  EXPECT_EQ(dst, counted({2, 3}));
}

TEST(TransferPieces, OfNothingAndOfOneElementAreOne) {
  HostArray empty(dtype::i32, {0, 4}), src = counted({}), dst(dtype::i32, {});
  EXPECT_EQ(TransferPieces(empty.view(), empty.view(), 4).num_choices(), 1);
  TransferPieces one(dst.view(), src.view(), 4);
  EXPECT_EQ(one.num_choices(), 1);
  one.advance(0);
  one.advance(0);
  EXPECT_EQ(dst.elements<std::int32_t>()[0], 1);
}

TEST(TransferPieces, AreNotMoreThanElementsAlongTheLongestDimension) {
  HostArray src = counted({2, 1}), dst(dtype::i32, {2, 1});
  EXPECT_EQ(TransferPieces(dst.view(), src.view(), 4).num_choices(), 2);
}

}  // namespace
}  // namespace meshmul
