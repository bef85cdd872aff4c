#include "base/slices.hpp"

#include <gmock/gmock.h>

#include "meshmul/host_array.hpp"

namespace meshmul {
namespace {

TEST(Slices, ABoxOfASliceIsABoxOfTheWholeArray) {
  EXPECT_EQ(in_whole_array(2, Box{{0, 3}, {4, 5}}), (Box{{2, 3}, {0, 3}, {4, 5}}));
  EXPECT_EQ(in_whole_array(2, Box()), (Box{{2, 3}}));
  EXPECT_EQ(without_first_dim(Box{{2, 3}, {0, 3}, {4, 5}}), (Box{{0, 3}, {4, 5}}));
  EXPECT_EQ(without_first_dim(Box{{2, 3}}), Box());
}

TEST(Slices, LieInTheMemoryOfTheArray) {
  HostArray array(Dtype::kF32, {2, 3, 4});
  const View slice = slice_of(array.view(), 1);
  EXPECT_EQ(slice.num_dims, 2);
  EXPECT_EQ(slice.extents[0], 3);
  EXPECT_EQ(slice.extents[1], 4);
  EXPECT_EQ(slice.data - array.bytes().data(), 3 * 4 * 4);
}

TEST(Slices, BehindAFirstDimensionAreTheSameElements) {
  HostArray array(Dtype::kF32, {3, 4});
  const View view = behind_first_dim(array.view());
  EXPECT_EQ(view.num_dims, 3);
  EXPECT_EQ(view.num_elements(), 12);
  const View again = slice_of(view, 0);
  EXPECT_EQ(again.data, array.view().data);
  EXPECT_EQ(again.extents, array.view().extents);
  EXPECT_EQ(again.strides, array.view().strides);
}

}  // namespace
}  // namespace meshmul
