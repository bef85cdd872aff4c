#include "meshmul/dtype.hpp"

#include <gmock/gmock.h>

#include "meshmul/element.hpp"

namespace meshmul {
namespace {

TEST(Dtype, EveryNameParsesBackToItself) {
  for (const Dtype dtype : kAllDtypes) EXPECT_EQ(parse_dtype(name(dtype)), dtype) << name(dtype);
}

TEST(Dtype, AliasesOfOtherFrameworksAreKnown) {
  EXPECT_EQ(parse_dtype("fp32"), Dtype::kF32);
  EXPECT_EQ(parse_dtype("float16"), Dtype::kF16);
  EXPECT_EQ(parse_dtype("bfloat16"), Dtype::kBf16);
  EXPECT_EQ(parse_dtype("int8"), Dtype::kI8);
  EXPECT_EQ(parse_dtype("float8e4m3fn"), Dtype::kF8e4m3);
  EXPECT_EQ(parse_dtype("f33"), std::nullopt);
  EXPECT_EQ(parse_dtype(""), std::nullopt);
}

TEST(Dtype, SizesAreThoseOfTheElementTypes) {
  for (const Dtype dtype : kAllDtypes)
    EXPECT_EQ(size_bytes(dtype), with_element_type(dtype, []<class T>() { return std::int64_t{sizeof(T)}; }));
}

TEST(Dtype, SmallTypesAccumulateWideAndProductsWidenWhereTheyMust) {
  EXPECT_EQ(accumulator_of(Dtype::kBf16), Dtype::kF32);
  EXPECT_EQ(accumulator_of(Dtype::kI8), Dtype::kI32);
  EXPECT_EQ(accumulator_of(Dtype::kF64), Dtype::kF64);
  EXPECT_EQ(product_dtype(Dtype::kI8), Dtype::kI32);
  EXPECT_EQ(product_dtype(Dtype::kF8e4m3), Dtype::kBf16);
  EXPECT_EQ(product_dtype(Dtype::kF16), Dtype::kF16);
}

}  // namespace
}  // namespace meshmul
