// Loops over strided arrays, walked as the kernel walks them: the same bits as the kernels for CPUs give.

#include "execute/cuda/element_loops.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "execute/cuda/strided_array.hpp"
#include "kernels/kernels.hpp"

namespace meshmul::cuda {
namespace {

using testing::ElementsAre;

/// What the kernel does, of whole numbers.
void walk(const ElementLoops& loops) {
  for (std::int64_t i = 0; i < loops.count; ++i) {
    std::int64_t at[1 + ElementLoops::kMostSources] = {}, rest = i;
    for (int d = loops.num_dims - 1; d >= 0; --d) {
      for (int o = 0; o < loops.num_operands; ++o) at[o] += rest % loops.extents[d] * loops.operands[o].strides[d];
      rest /= loops.extents[d];
    }
    const auto address = [&](int o) {
      const ElementLoops::Operand& operand = loops.operands[o];
      return static_cast<std::byte*>(const_cast<void*>(operand.data)) + at[o] * size_bytes(operand.dtype);
    };
    const auto load = [&](int o) {
      return o < loops.num_operands ? StridedArray::element(address(o), loops.operands[o].dtype) : 0.0F;
    };
    float value = load(1);
    if (loops.work == ElementLoops::Work::kAddToDst) value += load(0);
    if (loops.function == MapFunction::kAdd || loops.function == MapFunction::kBias) value += load(2);
    if (loops.function == MapFunction::kMul || loops.function == MapFunction::kScale) value *= load(2);
    StridedArray::set_element(address(0), loops.operands[0].dtype, value);
  }
}

std::vector<std::int64_t> random_extents(std::mt19937& random) {
  std::vector<std::int64_t> extents(1 + random() % 4);
  for (std::int64_t& extent : extents) extent = 1 + static_cast<std::int64_t>(random() % 5);
  return extents;
}

Dtype random_dtype(std::mt19937& random) { return kAllDtypes[random() % std::size(kAllDtypes)]; }

TEST(ElementLoops, CopyAndReduceAnyStridesInAnyOrder) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<std::int64_t> extents = random_extents(random);
    std::vector<int> permutation(extents.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::shuffle(permutation.begin(), permutation.end(), random);
    std::vector<std::int64_t> source_extents(extents.size());
    for (std::size_t d = 0; d < extents.size(); ++d)
      source_extents[static_cast<std::size_t>(permutation[d])] = extents[d];
    StridedArray dst(random_dtype(random), extents, any_strides(extents, random), 0, random), expected = dst;
    StridedArray src(random_dtype(random), source_extents, any_strides(source_extents, random), 1, random);
    if (seed % 2 == 0) {
      walk(copy_loops(dst.view(), src.view(), permutation));
      meshmul::copy(expected.view(), src.view(), permutation);
    } else {
      walk(reduce_loops(dst.view(), src.view(), permutation));
      meshmul::reduce(expected.view(), src.view(), permutation);
    }
    ASSERT_EQ(dst.bytes(), expected.bytes());
  }
}

TEST(ElementLoops, MapWithASecondSourceOfOneDimensionOrNone) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<std::int64_t> extents = random_extents(random);
    const Dtype dtype = seed % 2 == 0 ? Dtype::kF32 : Dtype::kI32;
    StridedArray dst(dtype, extents, any_strides(extents, random), 0, random), expected = dst;
    StridedArray x(dtype, extents, any_strides(extents, random), 0, random);
    std::optional<int> along;
    std::vector<std::int64_t> operand;
    if (seed % 3 == 0) operand = extents;
    if (seed % 3 == 1) {
      along = static_cast<int>(random() % extents.size());
      operand = {extents[static_cast<std::size_t>(*along)]};
    }
    StridedArray y(dtype, operand, any_strides(operand, random), 0, random);
    const ConstView sources[] = {x.view(), y.view()};
    const MapFunction function = seed % 4 < 2 ? MapFunction::kBias : MapFunction::kScale;
    walk(map_loops(dst.view(), function, sources, along));
    meshmul::map(expected.view(), function, sources, along);
    ASSERT_EQ(dst.bytes(), expected.bytes());
  }
}

TEST(ElementLoops, MergeWhatLiesTogetherInAllOperands) {
  std::mt19937 random(1);
  const std::vector<std::int64_t> extents{3, 4, 5, 1, 6};
  StridedArray whole(Dtype::kF32, extents, rows_of(extents), 0, random);
  StridedArray rows(Dtype::kBf16, extents, {4 * 5 * 8, 5 * 8, 8, 7, 1}, 0, random);
  const ElementLoops one = copy_loops(whole.view(), whole.view(), {});
  EXPECT_EQ(one.num_dims, 1);
  EXPECT_EQ(one.extents[0], 360);
  const ElementLoops two = copy_loops(whole.view(), rows.view(), {});
  EXPECT_EQ(two.num_dims, 2);
  EXPECT_THAT(std::vector(two.extents, two.extents + 2), ElementsAre(60, 6));
  EXPECT_THAT(std::vector(two.operands[0].strides, two.operands[0].strides + 2), ElementsAre(6, 1));
  EXPECT_THAT(std::vector(two.operands[1].strides, two.operands[1].strides + 2), ElementsAre(8, 1));
}

TEST(ElementLoops, SumInTheAccumulatorThatHoldsAllOperands) {
  std::mt19937 random(1);
  const auto sum = [&](Dtype to, Dtype from) {
    StridedArray dst(to, {3}, {1}, 0, random), src(from, {3}, {1}, 0, random);
    return copy_loops(dst.view(), src.view(), {}).sum;
  };
  EXPECT_EQ(sum(Dtype::kBf16, Dtype::kF8e4m3), Dtype::kF32);
  EXPECT_EQ(sum(Dtype::kI32, Dtype::kI8), Dtype::kI32);
  EXPECT_EQ(sum(Dtype::kF32, Dtype::kI32), Dtype::kF64);
  EXPECT_EQ(sum(Dtype::kF64, Dtype::kF32), Dtype::kF64);
}

}  // namespace
}  // namespace meshmul::cuda
