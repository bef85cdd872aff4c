#include "schedule/overlap/reduce.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "meshmul/statement.hpp"
#include "schedule/local_product.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kMesh{{"X", 3}};

// A[M=6, K=6_X] * B[K=6_X, N], summed into blocks of two rows.
struct Sums {
  explicit Sums(int n = 2) : n_columns(n) {}

  int n_columns;
  ScheduleBuilder builder{kMesh};
  PlacedArray a = place(builder, "A", parse_array("A[M=6, K=6_X]", kMesh));
  PlacedArray b = place(builder, "B", parse_array(fmt::format("B[K=6_X, N={}]", n_columns), kMesh));
  PlacedArray c = place(builder, "C", parse_array(fmt::format("C[M=6_X, N={}]", n_columns), kMesh));
  ArrayType terms = parse_array(fmt::format("C[M=6, N={}]{{U_X}}", n_columns), kMesh);
  PiecewiseProduct product{a.type, b.type, terms, whole_shards(a), whole_shards(b), einsum_of(a.type, b.type, terms)};

  // The ops of the compute lane of rank 1 but for signals and waits, as text.
  std::vector<std::string> steps() {
    const Schedule schedule = builder.finish({kMesh, {}, {}, {}, false});
    std::vector<std::string> lines;
    for (const Lane& lane : schedule.ranks[1].lanes)
      for (const Op& op : lane.ops)
        if (!std::holds_alternative<Wait>(op) && !std::holds_alternative<Signal>(op)) {
          std::string line = to_string(schedule, 1, op);
          lines.push_back(line.substr(0, line.find(" arrived")));
        }
    return lines;
  }
};

TEST(ReduceInPlace, EveryStepAddsToTheBlockOfAnotherRank) {
  Sums sums;
  reduce_in_place(sums.builder, sums.product, sums.c, {});
  EXPECT_THAT(sums.steps(), ElementsAre("gemm C@2[0:2, 0:2] A[4:6, 0:2] B[0:2, 0:2] mk,kn->mn",
                                        "gemm C@0[0:2, 0:2] A[0:2, 0:2] B[0:2, 0:2] mk,kn->mn accumulate",
                                        "gemm C[0:2, 0:2] A[2:4, 0:2] B[0:2, 0:2] mk,kn->mn accumulate"));
}

TEST(ReduceInPlace, WideBlocksAreAddedToByColumnsOfAllOfThem) {
  Sums sums(8);
  reduce_in_place(sums.builder, sums.product, sums.c, {});
  EXPECT_THAT(sums.steps(), ElementsAre("gemm C@0[0:2, 6:8] A[0:2, 0:2] B[0:2, 6:8] mk,kn->mn",
                                        "gemm C[0:2, 6:8] A[2:4, 0:2] B[0:2, 6:8] mk,kn->mn",
                                        "gemm C@2[0:2, 6:8] A[4:6, 0:2] B[0:2, 6:8] mk,kn->mn",
                                        "gemm C@0[0:2, 0:3] A[0:2, 0:2] B[0:2, 0:3] mk,kn->mn accumulate",
                                        "gemm C[0:2, 0:3] A[2:4, 0:2] B[0:2, 0:3] mk,kn->mn accumulate",
                                        "gemm C@2[0:2, 0:3] A[4:6, 0:2] B[0:2, 0:3] mk,kn->mn accumulate",
                                        "gemm C@0[0:2, 3:6] A[0:2, 0:2] B[0:2, 3:6] mk,kn->mn accumulate",
                                        "gemm C[0:2, 3:6] A[2:4, 0:2] B[0:2, 3:6] mk,kn->mn accumulate",
                                        "gemm C@2[0:2, 3:6] A[4:6, 0:2] B[0:2, 3:6] mk,kn->mn accumulate"));
}

TEST(ReducePushed, TheOwnerAddsInRankOrder) {
  Sums sums;
  reduce_pushed(sums.builder, sums.product, sums.c, {});
  EXPECT_THAT(sums.steps(), ElementsAre("gemm C.term0@2[0:2, 0:2] A[4:6, 0:2] B[0:2, 0:2] mk,kn->mn",
                                        "gemm C.term1@0[0:2, 0:2] A[0:2, 0:2] B[0:2, 0:2] mk,kn->mn",
                                        "copy C[0:2, 0:2] C.term0[0:2, 0:2]",
                                        "gemm C[0:2, 0:2] A[2:4, 0:2] B[0:2, 0:2] mk,kn->mn accumulate",
                                        "reduce C[0:2, 0:2] C.term1[0:2, 0:2]"));
}

TEST(ReducePulled, TermsStayWhereTheyAreMade) {
  Sums sums;
  reduce_pulled(sums.builder, sums.product, sums.c);
  EXPECT_THAT(sums.steps(), ::testing::IsSupersetOf({"gemm C.product[4:6, 0:2] A[4:6, 0:2] B[0:2, 0:2] mk,kn->mn",
                                                     "gemm C.product[0:2, 0:2] A[0:2, 0:2] B[0:2, 0:2] mk,kn->mn",
                                                     "gemm C.product[2:4, 0:2] A[2:4, 0:2] B[0:2, 0:2] mk,kn->mn"}));
}

TEST(ReducePushed, ChunksArriveOneByOne) {
  Sums sums;
  OverlapOptions options;
  options.chunks_per_shard = 2;
  reduce_pushed(sums.builder, sums.product, sums.c, options);
  EXPECT_EQ(sums.steps().size(), 10U);
}

}  // namespace
}  // namespace meshmul
