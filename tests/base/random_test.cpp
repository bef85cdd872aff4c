#include "meshmul/random.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

std::string error_of(Dtype dtype, std::int64_t whole_numbers_to) {
  try {
    random_array(dtype, {4}, {.seed = 1, .whole_numbers_to = whole_numbers_to});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Random, EveryBoxHoldsItsPartOfTheWhole) {
  const Shape shape{5, 3, 7};
  for (const Dtype dtype : kAllDtypes) {
    const HostArray whole = random_array(dtype, shape, {.seed = 42});
    HostArray parts(dtype, shape);
    for (const Box& box : {Box{{0, 2}, {0, 3}, {0, 7}}, Box{{2, 5}, {0, 1}, {0, 7}}, Box{{2, 5}, {1, 3}, {0, 4}},
                           Box{{2, 5}, {1, 3}, {4, 7}}, Box{{5, 5}, {0, 3}, {0, 7}}})
      fill_random(parts.view(box), box, shape, {.seed = 42});
    EXPECT_EQ(parts, whole) << name(dtype);
  }
}

TEST(Random, ScalarsAndVectorsAreFilledToo) {
  EXPECT_NE(random_array(Dtype::kF64, {}, {.seed = 3})[0], 0.0);
  EXPECT_EQ(random_array(Dtype::kF64, {1}, {.seed = 3})[0], random_array(Dtype::kF64, {}, {.seed = 3})[0]);
  EXPECT_EQ(random_array(Dtype::kF64, {0, 4}, {.seed = 3}).num_elements(), 0);
}

// A saved seed has to give the same data in later versions. Seeded with 0, splitmix64 begins with 0xE220A8397B1DCDAF;
// seeded with that, it begins with 0xA706DD2F4D197E6F, 0xB382A305F4414F5E, 0x631A9154FBABF717.
TEST(Random, TheValuesOfASeedNeverChange) {
  const HostArray values = random_array(Dtype::kF64, {3}, {.seed = 0});
  EXPECT_EQ(values[0], 0x1.3836e97a68cbep-2);
  EXPECT_EQ(values[1], 0x1.9c15182fa20a6p-2);
  EXPECT_EQ(values[2], -0x1.ce56eab04540cp-3);
}

TEST(Random, FloatsFillTheUnitIntervalEvenly) {
  for (const Dtype dtype : {Dtype::kF64, Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3}) {
    const HostArray array = random_array(dtype, {100, 1000}, {.seed = 9});
    double sum = 0;
    double squares = 0;
    double smallest = 1;
    double largest = -1;
    for (std::int64_t i = 0; i < array.num_elements(); ++i) {
      sum += array[i];
      squares += array[i] * array[i];
      smallest = std::min(smallest, array[i]);
      largest = std::max(largest, array[i]);
    }
    // A mean of 1e5 such values strays by 0.0018; the grid of f8 is 1/16 wide and begins at -1.
    EXPECT_NEAR(sum / 1e5, dtype == Dtype::kF8e4m3 ? -1.0 / 32 : 0.0, 0.01) << name(dtype);
    EXPECT_NEAR(squares / 1e5, 1.0 / 3, 0.01) << name(dtype);
    EXPECT_GE(smallest, -1) << name(dtype);
    EXPECT_LT(smallest, -0.99) << name(dtype);
    EXPECT_LT(largest, 1) << name(dtype);
    EXPECT_GT(largest, 0.93) << name(dtype);
  }
}

TEST(Random, NarrowFloatsUseAllTheirSignificand) {
  std::set<double> values;
  const HostArray array = random_array(Dtype::kBf16, {10'000}, {.seed = 9});
  for (std::int64_t i = 0; i < array.num_elements(); ++i) values.insert(array[i]);
  EXPECT_EQ(values.size(), 512U);  // the multiples of 2^-8 in [-1, 1)
}

TEST(Random, IntegersAreThoseOfAByte) {
  for (const Dtype dtype : {Dtype::kI8, Dtype::kI32}) {
    std::set<double> values;
    const HostArray array = random_array(dtype, {10'000}, {.seed = 9});
    for (std::int64_t i = 0; i < array.num_elements(); ++i) values.insert(array[i]);
    EXPECT_EQ(values.size(), 256U) << name(dtype);
    EXPECT_EQ(*values.begin(), -128) << name(dtype);
    EXPECT_EQ(*values.rbegin(), 127) << name(dtype);
  }
}

TEST(Random, WholeNumbersStayInTheirRangeAndReachBothEnds) {
  for (const Dtype dtype : kAllDtypes) {
    std::set<double> values;
    const HostArray array = random_array(dtype, {1000}, {.seed = 5, .whole_numbers_to = 3});
    for (std::int64_t i = 0; i < array.num_elements(); ++i) values.insert(array[i]);
    EXPECT_THAT(values, testing::ElementsAre(-3, -2, -1, 0, 1, 2, 3)) << name(dtype);
  }
}

TEST(Random, WholeNumbersThatTheDtypeCannotHoldAreRefused) {
  EXPECT_EQ(error_of(Dtype::kF8e4m3, 17), "random whole numbers up to 17; expected at most 16 for f8e4m3");
  EXPECT_EQ(error_of(Dtype::kI8, 128), "random whole numbers up to 128; expected at most 127 for i8");
  EXPECT_EQ(error_of(Dtype::kF64, std::int64_t{1} << 31),
            "random whole numbers up to 2147483648; expected at most 2147483647 for f64");
  EXPECT_EQ(error_of(Dtype::kF32, -1), "random whole numbers up to -1; expected at least 1");
  EXPECT_EQ(error_of(Dtype::kBf16, 256), "no error");
}

TEST(Random, SeedsAndNamesGiveOtherValues) {
  const auto array = [](std::uint64_t seed) { return random_array(Dtype::kF32, {8}, {.seed = seed}); };
  EXPECT_NE(array(1), array(2));
  EXPECT_NE(array(seed_for(1, "A")), array(seed_for(1, "B")));
  EXPECT_NE(array(seed_for(1, "A")), array(seed_for(2, "A")));
  EXPECT_EQ(array(seed_for(1, "W1")), array(seed_for(1, "W1")));
}

}  // namespace
}  // namespace meshmul
