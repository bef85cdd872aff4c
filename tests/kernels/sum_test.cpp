#include <gmock/gmock.h>

#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/streaming.hpp"
#include "test_array.hpp"

namespace meshmul {
namespace {

// A copy of the first term and a reduction of each other one.
void add_one_by_one(View dst, const std::vector<ConstView>& terms) {
  meshmul::copy(dst, terms.front(), {});
  for (std::size_t i = 1; i < terms.size(); ++i) meshmul::reduce(dst, terms[i], {});
}

TEST(Sum, has_the_bits_of_one_addition_after_the_other_of_every_dtype_in_boxes_of_larger_arrays) {
  std::mt19937_64 random(1);
  for (const Dtype dtype : kAllDtypes)
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{7}, Shape{3, 5}, Shape{2, 1, 4}})
      for (const std::size_t num_terms : {2U, 3U, 5U}) {
        std::vector<TestArray> arrays(num_terms, TestArray(dtype, shape, random));
        std::vector<ConstView> terms;
        for (TestArray& array : arrays) {
          if (dtype == Dtype::kI8 || dtype == Dtype::kI32)
            array.fill_integers(random, 8);
          else
            array.fill_uniform(random);
          terms.push_back(array.view());
        }
        TestArray sums(dtype, shape, random);
        sums.poison();
        TestArray expected = sums;
        meshmul::sum(sums.view(), terms);
        add_one_by_one(expected.view(), terms);
        EXPECT_EQ(sums.bytes(), expected.bytes()) << name(dtype) << ", " << num_terms << " terms";
      }
}

// In one piece: some blocks, the last of which is not full, and so many that they go past the caches.
TEST(Sum, of_long_runs_has_the_bits_of_one_addition_after_the_other) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<float> values(-1, 1);
  for (const std::int64_t elements : {std::int64_t{5003}, kStreamBytes / 4 + 3}) {
    const Shape shape{elements};
    const auto view = [&](std::vector<float>& array) {
      return view_of(reinterpret_cast<std::byte*>(array.data()), Dtype::kF32, shape, Box::whole(shape));
    };
    std::vector<std::vector<float>> arrays(3, std::vector<float>(static_cast<std::size_t>(elements)));
    std::vector<ConstView> terms;
    for (std::vector<float>& array : arrays) {
      for (float& value : array) value = values(random);
      terms.push_back(view(array));
    }
    std::vector<float> sums(static_cast<std::size_t>(elements), -1.0F);
    std::vector<float> expected = sums;
    meshmul::sum(view(sums), terms);
    add_one_by_one(view(expected), terms);
    EXPECT_EQ(sums, expected);
  }
}

}  // namespace
}  // namespace meshmul
