#include "schedule/merged_gemms.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "schedule/merged_lines.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

// Four ranks; shards of A and C are blocks of rows, those of B blocks of columns, P is everyone's own.
constexpr const char* kOpening =
    "meshmul schedule 1\nmesh X=4\nrequires get addressable strided\n"
    "buffer A f32 [2, 8] symmetric\nbuffer B f32 [8, 3] symmetric\nbuffer C f32 [2, 12] symmetric\n"
    "buffer P f32 [8, 12] private\nbuffer V f32 [12] symmetric\nsignal s\nsignal t\nrank 1\nlane compute\n";

// What the gemms of rank 1 become: the numbers of the ops, and the regions as rank, buffer, box.
std::vector<std::string> merged(const std::string& ops) {
  return testing::merged_lines(kOpening + ops, merged_gemms, [](const MergedGemm& gemm, const auto& text) {
    std::string line;
    for (const int op : gemm.ops) line += std::to_string(op);
    return fmt::format("{} {} = {} {}{}", line, text(gemm.c), text(gemm.a), text(gemm.b), gemm.accumulate ? " +" : "");
  });
}

TEST(MergedGemms, ReadTheShardsOfAllRanksAsOneMatrixInWhateverOrderTheyStand) {
  EXPECT_THAT(merged("gemm P[2:4, 0:3] A[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                     "gemm P[4:6, 0:3] A@2[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                     "gemm P[6:8, 0:3] A@3[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                     "gemm P[0:2, 0:3] A@0[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"),
              ElementsAre("0123 P@1[0:8, 0:3] = A@0[0:8, 0:8] B@1[0:8, 0:3]"));
}

TEST(MergedGemms, OneThatJoinsTwoOthersMakesAllThreeOne) {
  EXPECT_THAT(merged("gemm P[0:2, 0:3] A@0[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                     "gemm P[4:6, 0:3] A@2[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                     "gemm P[2:4, 0:3] A@1[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"),
              ElementsAre("012 P@1[0:6, 0:3] = A@0[0:6, 0:8] B@1[0:8, 0:3]"));
}

TEST(MergedGemms, WriteTheShardsOfAllRanksAsOneMatrix) {
  EXPECT_THAT(merged("gemm C@2[0:2, 0:6] P[4:6, 0:8] P[0:8, 0:6] ij,jk->ik accumulate\n"
                     "gemm C@3[0:2, 0:6] P[6:8, 0:8] P[0:8, 0:6] ij,jk->ik accumulate\n"),
              ElementsAre("01 C@2[0:4, 0:6] = P@1[4:8, 0:8] P@1[0:8, 0:6] +"));
}

TEST(MergedGemms, AddUpAContractionInOneGo) {
  EXPECT_THAT(merged("gemm C[0:2, 0:3] A[0:2, 4:8] B[4:8, 0:3] ij,jk->ik\n"
                     "gemm C[0:2, 0:3] A[0:2, 0:4] B[0:4, 0:3] ij,jk->ik accumulate\n"),
              ElementsAre("01 C@1[0:2, 0:3] = A@1[0:2, 0:8] B@1[0:8, 0:3]"));
}

TEST(MergedGemms, StayApartWhereTheirMemoryDoes) {
  // The columns of another rank's B lie behind all rows of this one's.
  EXPECT_EQ(merged("gemm C[0:2, 0:3] A[0:2, 0:8] B@0[0:8, 0:3] ij,jk->ik\n"
                   "gemm C[0:2, 3:6] A[0:2, 0:8] B@1[0:8, 0:3] ij,jk->ik\n")
                .size(),
            2U);
  // Rank 0's shard is not full, or rank 2 lies in between.
  EXPECT_EQ(merged("gemm P[0:1, 0:3] A@0[0:1, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                   "gemm P[1:3, 0:3] A@1[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n")
                .size(),
            2U);
  EXPECT_EQ(merged("gemm P[0:2, 0:3] A@1[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                   "gemm P[2:4, 0:3] A@3[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n")
                .size(),
            2U);
}

TEST(MergedGemms, StayApartWhereAnythingStandsInBetween) {
  const std::string first = "gemm P[0:2, 0:3] A@0[0:2, 0:8] B[0:8, 0:3] ij,jk->ik";
  const std::string second = "gemm P[2:4, 0:3] A@1[0:2, 0:8] B[0:8, 0:3] ij,jk->ik";
  EXPECT_EQ(merged(first + "\n" + second + "\n").size(), 1U);
  EXPECT_EQ(merged(first + "\nwait s >= 1\n" + second + "\n").size(), 2U);
  EXPECT_EQ(merged(first + "\nsignal 0 s\n" + second + "\n").size(), 2U);
  EXPECT_EQ(merged(first + " arrived t\n" + second + "\n").size(), 2U);
  EXPECT_EQ(merged(first + "\n" + second + " arrived t\n").size(), 1U) << "it is raised at its own place, behind both";
  EXPECT_EQ(merged(first + "\n" + "gemm P[2:4, 0:3] A@1[0:2, 0:8] B[0:8, 0:3] il,lk->ik\n").size(), 2U);
}

TEST(MergedGemms, OneThatReadsWhatAnotherWroteStaysBehindIt) {
  EXPECT_EQ(merged("gemm C[0:2, 0:3] A[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                   "gemm P[0:2, 0:3] C[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
                   "gemm C[0:2, 3:6] A[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n")
                .size(),
            3U);
}

TEST(MergedGemms, OneDoesNotOvertakeTheOneThatBeginsItsSum) {
  EXPECT_THAT(
      merged("gemm P[0:2, 0:3] A@0[0:2, 0:8] B[0:8, 0:3] ij,jk->ik accumulate\n"
             "gemm P[2:4, 0:3] A@3[0:2, 0:8] B[0:8, 0:3] ij,jk->ik\n"
             "gemm P[2:4, 0:3] A@1[0:2, 0:8] B[0:8, 0:3] ij,jk->ik accumulate\n"),
      ElementsAre("0 P@1[0:2, 0:3] = A@0[0:2, 0:8] B@1[0:8, 0:3] +", "1 P@1[2:4, 0:3] = A@3[0:2, 0:8] B@1[0:8, 0:3]",
                  "2 P@1[2:4, 0:3] = A@1[0:2, 0:8] B@1[0:8, 0:3] +"));
}

TEST(MergedGemms, VectorsAndBatchesToo) {
  EXPECT_THAT(merged("gemm V@0[0:12] V[0:8] P[0:8, 0:12] j,jk->k\n"
                     "gemm V@2[0:12] V[0:8] P[0:8, 0:12] j,jk->k\n")
                  .size(),
              2U);
  EXPECT_THAT(merged("gemm C@0[0:2, 0:3] A@0[0:2, 0:3] P[0:2, 0:3] ij,ij->ij\n"
                     "gemm C@1[0:2, 0:3] A@1[0:2, 0:3] P[2:4, 0:3] ij,ij->ij\n"),
              ElementsAre("01 C@0[0:4, 0:3] = A@0[0:4, 0:3] P@1[0:4, 0:3]"));
}

}  // namespace
}  // namespace meshmul
