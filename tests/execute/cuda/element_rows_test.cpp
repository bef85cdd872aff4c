// Rows of quads, walked as the kernel walks them: every element once, and the same bits as the kernels for CPUs give.

#include "execute/cuda/element_rows.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <random>
#include <vector>

#include "execute/cuda/strided_array.hpp"
#include "kernels/kernels.hpp"

namespace meshmul::cuda {
namespace {

/// What the kernel does with all tiles, of whole numbers; how many elements it wrote.
std::int64_t walk(const ElementRows& work) {
  std::int64_t written = 0;
  for (std::int32_t tile = 0; tile < work.num_tiles(); ++tile)
    for (std::int32_t thread = 0; thread < ElementRows::kWarp; ++thread) {
      const ElementPlace place = element_place(work, tile, thread);
      for (std::int32_t step = 0; step < place.steps; ++step)
        for (int e = 0; e < ElementRows::kQuad; ++e) {
          const auto address = [&](const ElementRows::Operand& operand) {
            return const_cast<std::byte*>(operand.data) + place.row * operand.row_bytes +
                   std::int64_t{place.column} * operand.quad_bytes + step * operand.step_bytes +
                   operand.quad_bytes / ElementRows::kQuad * e;
          };
          const auto load = [&](int source) {
            return StridedArray::element(address(work.sources[source]), work.sources[source].dtype);
          };
          float value = work.num_sources > 0 ? load(0) : 0;
          for (int s = 1; s < work.num_sources; ++s)
            value = work.function == MapFunction::kAdd ? value + load(s) : value * load(s);
          StridedArray::set_element(address(work.dst), work.dst.dtype, value);
          ++written;
        }
    }
  return written;
}

constexpr Dtype kFloats[] = {Dtype::kF32, Dtype::kBf16, Dtype::kF16, Dtype::kF8e4m3};

struct Shape {
  std::int64_t rows, columns;
};
constexpr Shape kShapes[] = {{1, 4}, {1, 4096}, {1, 5000}, {7, 8}, {8, 128}, {9, 132}, {40, 4}, {70, 12}, {33, 1200}};

TEST(ElementRows, WalkEveryElementOnce) {
  unsigned seed = 0;
  for (const auto& [rows, columns] : kShapes)
    for (const Dtype to : kFloats)
      for (const Dtype from : kFloats) {
        SCOPED_TRACE(fmt::format("{} x {}, {} from {}, seed {}", rows, columns, name(to), name(from), ++seed));
        std::mt19937 random(seed);
        const std::vector<std::int64_t> extents{rows, columns};
        StridedArray dst(to, extents, rows_of(extents, 4), 4, random), expected = dst;
        StridedArray src(from, extents, rows_of(extents, 8), 8, random);
        const auto copy = element_rows(copy_loops(dst.view(), src.view(), {}));
        ASSERT_TRUE(copy);
        EXPECT_EQ(walk(*copy), rows * columns);
        meshmul::copy(expected.view(), src.view(), {});
        ASSERT_EQ(dst.bytes(), expected.bytes());
        const auto reduce = element_rows(reduce_loops(dst.view(), src.view(), {}));
        ASSERT_TRUE(reduce);
        EXPECT_EQ(walk(*reduce), rows * columns);
        meshmul::reduce(expected.view(), src.view(), {});
        ASSERT_EQ(dst.bytes(), expected.bytes());
      }
}

TEST(ElementRows, SpreadOneElementOverARowOrOneRowOverAll) {
  for (const auto& [rows, columns] : kShapes)
    for (const int along : {0, 1, 2})
      for (const MapFunction function : {MapFunction::kBias, MapFunction::kScale}) {
        SCOPED_TRACE(fmt::format("{} x {}, {} along {}", rows, columns, name(function), along));
        std::mt19937 random(static_cast<unsigned>(along));
        const std::vector<std::int64_t> extents{rows, columns};
        StridedArray dst(Dtype::kBf16, extents, rows_of(extents, 4), 0, random), expected = dst;
        StridedArray x(Dtype::kF32, extents, rows_of(extents), 0, random);
        // Along 2: one element for all.
        const std::vector<std::int64_t> spread =
            along == 2 ? std::vector<std::int64_t>{} : std::vector{extents[static_cast<std::size_t>(along)]};
        StridedArray y(Dtype::kBf16, spread, rows_of(spread), 0, random);
        const ConstView sources[] = {x.view(), y.view()};
        const std::optional<int> dimension = along == 2 ? std::nullopt : std::optional(along);
        const auto work = element_rows(map_loops(dst.view(), function, sources, dimension));
        ASSERT_TRUE(work);
        EXPECT_EQ(walk(*work), rows * columns);
        meshmul::map(expected.view(), function, sources, dimension);
        ASSERT_EQ(dst.bytes(), expected.bytes());
      }
}

TEST(ElementRows, AddTermsOfManyDtypes) {
  for (int num_terms = 1; num_terms <= ElementRows::kMostSources; ++num_terms) {
    SCOPED_TRACE(num_terms);
    std::mt19937 random(static_cast<unsigned>(num_terms));
    const std::vector<std::int64_t> extents{5, 3, 24};
    StridedArray dst(Dtype::kBf16, extents, rows_of(extents), 0, random), expected = dst;
    StridedArray sum(Dtype::kF32, extents, rows_of(extents), 0, random);
    std::vector<StridedArray> terms;
    std::vector<ConstView> views;
    for (int t = 0; t < num_terms; ++t)
      terms.emplace_back(kFloats[random() % 4], extents, rows_of(extents, 4 * (t % 2)), 0, random);
    for (StridedArray& term : terms) views.emplace_back(term.view());
    const auto work = sum_rows(dst.view(), views);
    ASSERT_TRUE(work);
    for (int t = 0; t < num_terms; ++t)
      for (int other = t; other < t + work->sources[t].alike; ++other) {
        ASSERT_LT(other, num_terms);
        EXPECT_EQ(work->sources[other].dtype, work->sources[t].dtype);
      }
    EXPECT_EQ(walk(*work), 5 * 3 * 24);
    meshmul::copy(sum.view(), views[0], {});
    for (int t = 1; t < num_terms; ++t) meshmul::reduce(sum.view(), views[static_cast<std::size_t>(t)], {});
    meshmul::copy(expected.view(), sum.view(), {});
    ASSERT_EQ(dst.bytes(), expected.bytes());
  }
  EXPECT_FALSE(sum_rows({}, {}));
}

TEST(ElementRows, AreNotThereForOtherLayoutsAndDtypes) {
  std::mt19937 random(1);
  const auto rows = [&](Dtype dtype, const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides,
                        std::int64_t shift) {
    StridedArray dst(Dtype::kF32, extents, rows_of(extents), 0, random), src(dtype, extents, strides, shift, random);
    return element_rows(copy_loops(dst.view(), src.view(), {})).has_value();
  };
  EXPECT_TRUE(rows(Dtype::kBf16, {8, 16}, {16, 1}, 0));
  EXPECT_TRUE(rows(Dtype::kBf16, {8, 16}, {20, 1}, 4));
  EXPECT_FALSE(rows(Dtype::kBf16, {8, 16}, {16, 1}, 2)) << "quads begin within others";
  EXPECT_FALSE(rows(Dtype::kBf16, {8, 16}, {18, 1}, 0)) << "every second row begins within a quad";
  EXPECT_FALSE(rows(Dtype::kBf16, {8, 6}, {8, 1}, 0)) << "a row ends within a quad";
  EXPECT_FALSE(rows(Dtype::kBf16, {8, 16}, {1, 8}, 0)) << "columns lie together";
  EXPECT_FALSE(rows(Dtype::kBf16, {4, 8, 16}, {16, 80, 1}, 0)) << "rows lie in two dimensions";
  EXPECT_FALSE(rows(Dtype::kF64, {8, 16}, {16, 1}, 0));
  EXPECT_FALSE(rows(Dtype::kI32, {8, 16}, {16, 1}, 0));
}

}  // namespace
}  // namespace meshmul::cuda
