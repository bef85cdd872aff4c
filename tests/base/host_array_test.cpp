#include "meshmul/host_array.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

std::string error_of(Dtype dtype, const Shape& shape) {
  try {
    const HostArray array(dtype, shape);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(HostArray, BeginsWithZeros) {
  const HostArray array(Dtype::kBf16, {3, 4});
  EXPECT_EQ(array.num_elements(), 12);
  EXPECT_EQ(array.num_bytes(), 24);
  for (std::int64_t i = 0; i < 12; ++i) EXPECT_EQ(array[i], 0.0);
}

TEST(HostArray, ScalarsHaveOneElementAndEmptyArraysNone) {
  EXPECT_EQ(HostArray(Dtype::kF64, {}).num_elements(), 1);
  EXPECT_EQ(HostArray(Dtype::kF64, {5, 0}).num_elements(), 0);
  EXPECT_EQ(HostArray().num_elements(), 0);
  EXPECT_EQ(HostArray(Dtype::kI8, {std::int64_t{1} << 62, 0}).num_elements(), 0);
}

TEST(HostArray, ElementsOfEveryDtypeAreReadBack) {
  for (const Dtype dtype : kAllDtypes) {
    HostArray array(dtype, {2, 2});
    array.set(2, -7);
    EXPECT_EQ(array[2], -7.0) << name(dtype);
    EXPECT_EQ(array[3], 0.0) << name(dtype);
  }
}

TEST(HostArray, AViewOfABoxPointsIntoTheArray) {
  HostArray array(Dtype::kF32, {3, 5});
  for (std::int64_t i = 0; i < 15; ++i) array.set(i, static_cast<double>(i));
  const View view = array.view(Box{{1, 3}, {2, 4}});
  EXPECT_EQ(view.data, array.bytes().data() + 7 * 4);
  EXPECT_EQ(view.num_elements(), 4);
  EXPECT_EQ(view.strides[0], 5);
  EXPECT_EQ(view.strides[1], 1);
}

TEST(HostArray, EqualityIsThatOfBits) {
  HostArray a(Dtype::kF64, {1});
  HostArray b(Dtype::kF64, {1});
  EXPECT_EQ(a, b);
  b.set(0, -0.0);
  EXPECT_NE(a, b);
  EXPECT_NE(a, HostArray(Dtype::kF64, {1, 1}));
  a.set(0, std::numeric_limits<double>::quiet_NaN());
  b.set(0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(a, b);
}

TEST(HostArray, ShapesThatCannotBeAreRefused) {
  EXPECT_EQ(error_of(Dtype::kF32, {2, -1}), "an array with a dimension of size -1");
  EXPECT_EQ(error_of(Dtype::kF32, Shape(9, 1)), "an array of 9 dimensions; at most 8 are possible");
  EXPECT_EQ(error_of(Dtype::kF32, {std::int64_t{1} << 31, std::int64_t{1} << 31}),
            "an array of f32 [2147483648, 2147483648] has more than 2^62 bytes");
  EXPECT_EQ(error_of(Dtype::kF32, {std::int64_t{1} << 62, 0}),
            "an array of f32 [4611686018427387904, 0] has more than 2^62 bytes even without its empty dimensions");
}

}  // namespace
}  // namespace meshmul
