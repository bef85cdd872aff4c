// Copies as rows of whole 16 bytes: which are, and that they copy what they must and nothing else.

#include "execute/cuda/row_copy.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <optional>
#include <random>
#include <vector>

#include "execute/cuda/strided_array.hpp"
#include "kernels/kernels.hpp"

namespace meshmul::cuda {
namespace {

/// What the kernel does.
void carry_out(const RowCopy& copy) {
  for (std::int64_t vector = 0; vector < copy.num_vectors(); ++vector) {
    const std::int64_t row = vector / copy.row_vectors, column = vector % copy.row_vectors * RowCopy::kVectorBytes;
    std::memcpy(copy.dst + row * copy.dst_pitch + column, copy.src + row * copy.src_pitch + column,
                RowCopy::kVectorBytes);
  }
}

struct Form {
  std::int64_t rows = 0, row_vectors = 0, dst_pitch = 0, src_pitch = 0;
  bool operator==(const Form&) const = default;
};

/// The form of a copy of bf16, nothing if it has none.
std::optional<Form> form(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& dst_strides,
                         const std::vector<std::int64_t>& src_strides, std::int64_t src_shift = 0) {
  std::mt19937 random(1);
  StridedArray dst(Dtype::kBf16, extents, dst_strides, 0, random);
  StridedArray src(Dtype::kBf16, extents, src_strides, src_shift, random);
  const auto copy = row_copy(dst.view(), src.view());
  if (!copy) return std::nullopt;
  return Form{copy->rows, copy->row_vectors, copy->dst_pitch, copy->src_pitch};
}

TEST(RowCopy, IsOneRowWhereAllLiesTogether) {
  EXPECT_EQ(form({4, 16}, {16, 1}, {16, 1}), (Form{1, 8, 0, 0}));
  EXPECT_EQ(form({8}, {1}, {1}), (Form{1, 1, 0, 0}));
  EXPECT_EQ(form({1, 1, 24}, {5, 7, 1}, {3, 1, 1}), (Form{1, 3, 0, 0}));
}

TEST(RowCopy, HasAPitchForEachSide) {
  EXPECT_EQ(form({4, 16}, {24, 1}, {32, 1}), (Form{4, 2, 48, 64}));
  EXPECT_EQ(form({4, 16}, {16, 1}, {32, 1}), (Form{4, 2, 32, 64}));
  EXPECT_EQ(form({3, 4, 16}, {4 * 24, 24, 1}, {4 * 32, 32, 1}), (Form{12, 2, 48, 64}));
  EXPECT_EQ(form({3, 2, 2, 16}, {96, 48, 16, 1}, {128, 64, 16, 1}), (Form{6, 4, 96, 128}));
  EXPECT_EQ(form({4, 1, 16}, {24, 3, 1}, {32, 1, 1}), (Form{4, 2, 48, 64}));
}

TEST(RowCopy, IsNotThereForOtherLayouts) {
  EXPECT_FALSE(form({4, 16}, {24, 1}, {1, 4})) << "columns lie together";
  EXPECT_FALSE(form({3, 4, 16}, {100, 24, 1}, {128, 32, 1})) << "rows lie in two dimensions";
  EXPECT_FALSE(form({4, 12}, {16, 1}, {16, 1})) << "rows end within a vector";
  EXPECT_FALSE(form({4, 16}, {20, 1}, {16, 1})) << "rows begin within a vector";
  EXPECT_FALSE(form({4, 16}, {16, 1}, {16, 1}, 4)) << "the first one does";
  EXPECT_FALSE(form({16}, {2}, {1}));
}

TEST(RowCopy, IsNotThereForOtherDtypesOrNothing) {
  std::mt19937 random(1);
  StridedArray dst(Dtype::kBf16, {16}, {1}, 0, random), src(Dtype::kF16, {16}, {1}, 0, random);
  EXPECT_FALSE(row_copy(dst.view(), src.view()));
  View nothing = dst.view();
  nothing.extents[0] = 0;
  EXPECT_FALSE(row_copy(nothing, nothing));
}

TEST(RowCopy, CopiesEveryElementAndNothingElse) {
  int copies = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Dtype dtype = kAllDtypes[random() % std::size(kAllDtypes)];
    const std::int64_t vector = RowCopy::kVectorBytes / size_bytes(dtype);
    std::vector<std::int64_t> extents(1 + random() % 4);
    for (std::int64_t& extent : extents) extent = 1 + static_cast<std::int64_t>(random() % 4);
    extents.back() *= random() % 8 == 0 ? 1 : vector;
    const auto strides = [&] { return rows_of(extents, random() % 2 == 0 ? 0 : vector); };
    StridedArray dst(dtype, extents, strides(), 0, random), expected = dst, src(dtype, extents, strides(), 0, random);
    const auto copy = row_copy(dst.view(), src.view());
    if (!copy) continue;
    ++copies;
    carry_out(*copy);
    meshmul::copy(expected.view(), src.view(), {});
    ASSERT_EQ(dst.bytes(), expected.bytes());
  }
  EXPECT_GT(copies, 200);
}

}  // namespace
}  // namespace meshmul::cuda
