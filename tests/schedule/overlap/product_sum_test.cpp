#include "schedule/overlap/product_sum.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"
#include "schedule/local_product.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

// One rank multiplies A[4, 6] by B[6, 2]; the operands come in pieces.
class OneRank {
 public:
  OneRank(const std::vector<Box>& a_parts, const std::vector<Box>& b_parts)
      : a_(place(builder_, "A", parse_array("A[M=4, K=6]", mesh_))),
        b_(place(builder_, "B", parse_array("B[K=6, N=2]", mesh_))),
        c_(place(builder_, "C", parse_array("C[M=4, N=2]", mesh_))) {
    product = {a_.type, b_.type, c_.type, Pieces(1), Pieces(1), einsum_of(a_.type, b_.type, c_.type)};
    for (const Box& part : a_parts) product.a_pieces[0].push_back({part, a_.region(0, part)});
    for (const Box& part : b_parts) product.b_pieces[0].push_back({part, b_.region(0, part)});
  }

  // The steps of `part` of C, as text.
  std::vector<std::string> steps(const Box& part, bool accumulate = false) {
    ProductSum sum(product, 0, {part, c_.region(0, part)}, accumulate);
    sum.add_all(builder_);
    sum.finish(builder_);
    const Schedule schedule = builder_.finish({mesh_, {}, {}, {}, false});
    std::vector<std::string> lines;
    for (const Lane& lane : schedule.ranks[0].lanes)
      for (const Op& op : lane.ops) lines.push_back(to_string(schedule, 0, op));
    return lines;
  }

  PiecewiseProduct product;

 private:
  Mesh mesh_;
  ScheduleBuilder builder_{mesh_};
  PlacedArray a_, b_, c_;
};

const Box kC{{0, 4}, {0, 2}};

TEST(ProductSum, RowsThatComeOneAfterTheOtherAreWrittenOnce) {
  OneRank rank({Box{{2, 4}, {0, 6}}, Box{{0, 2}, {0, 6}}}, {Box{{0, 6}, {0, 2}}});
  EXPECT_FALSE(is_added_in_parts(rank.product));
  EXPECT_THAT(rank.steps(kC), ElementsAre("gemm C[2:4, 0:2] A[2:4, 0:6] B[0:6, 0:2] mk,kn->mn",
                                          "gemm C[0:2, 0:2] A[0:2, 0:6] B[0:6, 0:2] mk,kn->mn"));
}

TEST(ProductSum, PiecesOfTheContractionAreAddedToTheFirst) {
  OneRank rank({Box{{0, 4}, {0, 6}}}, {Box{{3, 6}, {0, 2}}, Box{{0, 3}, {0, 2}}});
  EXPECT_TRUE(is_added_in_parts(rank.product));
  EXPECT_THAT(rank.steps(kC), ElementsAre("gemm C[0:4, 0:2] A[0:4, 3:6] B[3:6, 0:2] mk,kn->mn",
                                          "gemm C[0:4, 0:2] A[0:4, 0:3] B[0:3, 0:2] mk,kn->mn accumulate"));
}

TEST(ProductSum, WhatIsPartlyWrittenIsCutInTwo) {
  OneRank rank({Box{{0, 2}, {0, 3}}, Box{{0, 4}, {3, 6}}, Box{{2, 4}, {0, 3}}}, {Box{{0, 6}, {0, 2}}});
  EXPECT_TRUE(is_added_in_parts(rank.product));
  EXPECT_THAT(rank.steps(kC), ElementsAre("gemm C[0:2, 0:2] A[0:2, 0:3] B[0:3, 0:2] mk,kn->mn",
                                          "gemm C[2:4, 0:2] A[2:4, 3:6] B[3:6, 0:2] mk,kn->mn",
                                          "gemm C[0:2, 0:2] A[0:2, 3:6] B[3:6, 0:2] mk,kn->mn accumulate",
                                          "gemm C[2:4, 0:2] A[2:4, 0:3] B[0:3, 0:2] mk,kn->mn accumulate"));
}

TEST(ProductSum, APartTakesWhatItNeedsOfEachPiece) {
  OneRank rank({Box{{0, 2}, {0, 6}}, Box{{2, 4}, {0, 6}}}, {Box{{0, 6}, {0, 1}}, Box{{0, 6}, {1, 2}}});
  EXPECT_THAT(rank.steps(Box{{1, 3}, {1, 2}}), ElementsAre("gemm C[1:2, 1:2] A[1:2, 0:6] B[0:6, 1:2] mk,kn->mn",
                                                           "gemm C[2:3, 1:2] A[2:3, 0:6] B[0:6, 1:2] mk,kn->mn"));
}

TEST(ProductSum, ASumThatIsThereAlreadyIsAddedTo) {
  OneRank rank({Box{{0, 4}, {0, 6}}}, {Box{{0, 6}, {0, 2}}});
  EXPECT_THAT(rank.steps(kC, true), ElementsAre("gemm C[0:4, 0:2] A[0:4, 0:6] B[0:6, 0:2] mk,kn->mn accumulate"));
}

TEST(ProductSum, WithoutAnyTermThereAreZeros) {
  OneRank rank({Box{{0, 4}, {6, 6}}}, {Box{{6, 6}, {0, 2}}});
  EXPECT_THAT(rank.steps(kC), ElementsAre("map C[0:4, 0:2] zero"));
  OneRank other({Box{{0, 4}, {6, 6}}}, {Box{{6, 6}, {0, 2}}});
  EXPECT_THAT(other.steps(kC, true), ::testing::IsEmpty());
}

}  // namespace
}  // namespace meshmul
