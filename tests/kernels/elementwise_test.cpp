#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels/kernels.hpp"
#include "test_array.hpp"

namespace meshmul {
namespace {

/// A shape, the shape of a source whose dimensions are permuted, and the permutation.
struct PermutedShapes {
  Shape dst, src;
  std::vector<int> permutation;
};

PermutedShapes random_permuted_shapes(std::mt19937_64& random, int num_dims, std::int64_t most) {
  PermutedShapes shapes{random_shape(random, num_dims, num_dims < 3 ? 0 : 1, most), {}, {}};
  shapes.permutation.resize(static_cast<std::size_t>(num_dims));
  std::iota(shapes.permutation.begin(), shapes.permutation.end(), 0);
  if (random() % 2 == 0) std::shuffle(shapes.permutation.begin(), shapes.permutation.end(), random);
  shapes.src.resize(shapes.dst.size());
  for (std::size_t d = 0; d < shapes.dst.size(); ++d)
    shapes.src[static_cast<std::size_t>(shapes.permutation[d])] = shapes.dst[d];
  return shapes;
}

/// The values of `src` in the row-major order of dst, element by element from the definition.
std::vector<double> permuted_values(TestArray& src, const PermutedShapes& shapes) {
  const std::vector<double> values = src.values();
  std::vector<double> result;
  const std::int64_t elements = Box::whole(shapes.dst).num_elements();
  for (std::int64_t e = 0; e < elements; ++e) {
    Shape src_index(shapes.src.size());
    std::int64_t rest = e;
    for (std::size_t d = shapes.dst.size(); d-- > 0;) {
      src_index[static_cast<std::size_t>(shapes.permutation[d])] = rest % shapes.dst[d];
      rest /= shapes.dst[d];
    }
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < src_index.size(); ++d) offset = offset * shapes.src[d] + src_index[d];
    result.push_back(values[static_cast<std::size_t>(offset)]);
  }
  return result;
}

TEST(Copy, converts_and_permutes_every_dtype_pair_and_leaves_the_rest_of_the_buffer_alone) {
  std::mt19937_64 random(1);
  for (const Dtype to : kAllDtypes)
    for (const Dtype from : kAllDtypes)
      for (int round = 0; round < 12; ++round) {
        const PermutedShapes shapes = random_permuted_shapes(random, round % 6, round % 6 < 3 ? 40 : 5);
        TestArray src(from, shapes.src, random);
        TestArray dst(to, shapes.dst, random);
        src.fill_integers(random, 8);
        dst.poison();
        const TestArray before = dst;
        meshmul::copy(dst.view(), src.view(), shapes.permutation);
        EXPECT_EQ(dst.values(), permuted_values(src, shapes)) << name(to) << " from " << name(from);
        EXPECT_TRUE(dst.margin_equals(before));
      }
}

TEST(Copy, walks_big_transposes_in_tiles_without_losing_an_element) {
  std::mt19937_64 random(2);
  const PermutedShapes shapes{{70, 3, 131}, {131, 3, 70}, {2, 1, 0}};
  TestArray src(Dtype::kI32, shapes.src, random);
  TestArray dst(Dtype::kI32, shapes.dst, random);
  std::int32_t next = 0;
  src.each([&]<class T>(T& element) { element = convert<T>(next++); });
  meshmul::copy(dst.view(), src.view(), shapes.permutation);
  EXPECT_EQ(dst.values(), permuted_values(src, shapes));
}

TEST(Copy, rounds_once_and_to_nearest_even) {
  std::mt19937_64 random(3);
  TestArray src(Dtype::kF32, {1000}, random);
  src.fill_uniform(random);
  for (const Dtype to : {Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3}) {
    TestArray dst(to, {1000}, random);
    meshmul::copy(dst.view(), src.view(), {});
    std::vector<double> expected;
    src.each([&]<class T>(T& element) {
      with_element_type(to, [&]<class To>() { expected.push_back(to_double(convert<To>(element))); });
    });
    EXPECT_EQ(dst.values(), expected) << name(to);
  }
}

TEST(Reduce, adds_every_dtype_pair_with_any_permutation) {
  std::mt19937_64 random(4);
  for (const Dtype to : kAllDtypes)
    for (const Dtype from : kAllDtypes)
      for (int round = 0; round < 12; ++round) {
        const PermutedShapes shapes = random_permuted_shapes(random, round % 6, round % 6 < 3 ? 40 : 5);
        TestArray src(from, shapes.src, random);
        TestArray dst(to, shapes.dst, random);
        src.fill_integers(random, 8);
        dst.fill_integers(random, 8);
        std::vector<double> expected = permuted_values(src, shapes);
        const std::vector<double> old = dst.values();
        for (std::size_t i = 0; i < old.size(); ++i) expected[i] += old[i];
        const TestArray before = dst;
        meshmul::reduce(dst.view(), src.view(), shapes.permutation);
        EXPECT_EQ(dst.values(), expected) << name(to) << " from " << name(from);
        EXPECT_TRUE(dst.margin_equals(before));
      }
}

TEST(Reduce, adds_16_bit_floats_in_f32_and_rounds_once) {
  std::mt19937_64 random(5);
  TestArray dst(Dtype::kBf16, {1}, random);
  TestArray src(Dtype::kF32, {1}, random);
  // 256 has a spacing of 2 in bf16. 1.5 rounded to bf16 first would stay 1.5 too; 1.0001 shows that the sum is rounded,
  // not the term: 257.0001 is above the tie between 256 and 258.
  dst.each([]<class T>(T& element) { element = convert<T>(256.0F); });
  src.each([]<class T>(T& element) { element = convert<T>(1.0001F); });
  meshmul::reduce(dst.view(), src.view(), {});
  EXPECT_THAT(dst.values(), testing::ElementsAre(258.0));
}

TEST(Reduce, wraps_integers) {
  std::mt19937_64 random(6);
  for (const auto& [dtype, expected] : {std::pair{Dtype::kI32, -2147483648.0}, std::pair{Dtype::kI8, -128.0}}) {
    TestArray dst(dtype, {9}, random);
    TestArray src(dtype, {9}, random);
    dst.each([]<class T>(T& element) {
      if constexpr (std::is_integral_v<T>) element = std::numeric_limits<T>::max();
    });
    src.fill_integers(random, 0);
    src.each([]<class T>(T& element) { element = convert<T>(1); });
    meshmul::reduce(dst.view(), src.view(), {});
    EXPECT_THAT(dst.values(), testing::Each(expected));
  }
}

}  // namespace
}  // namespace meshmul
