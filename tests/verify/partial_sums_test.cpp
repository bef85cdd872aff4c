#include "verify/partial_sums.hpp"

#include <gtest/gtest.h>

#include <string>

namespace meshmul::verification {
namespace {

// An 8-row product on one rank, with `ops` between its inputs and its output.
std::int64_t sums_of(const std::string& ops) {
  return most_partial_sums(
      parse_schedule("meshmul schedule 1\nmesh X=1\nrequires nothing\n"
                     "statement f32 A[I=8, J=4] * f32 B[J=4, K=2] -> f32 C[I=8, K=2]\n"
                     "buffer a f32 [8, 4] symmetric\nbuffer b f32 [4, 2] symmetric\n"
                     "buffer c f32 [8, 2] symmetric\nbuffer t f32 [8, 2] private\n"
                     "input A rank 0 [0:8, 0:4] at a[0:8, 0:4]\ninput B rank 0 [0:4, 0:2] at b[0:4, 0:2]\n"
                     "output C rank 0 [0:8, 0:2] at c[0:8, 0:2]\nrank 0\nlane compute\n" +
                     ops));
}

TEST(MostPartialSums, OneProductIsOne) {
  EXPECT_EQ(sums_of("gemm c[0:8, 0:2] a[0:8, 0:4] b[0:4, 0:2] ij,jk->ik\n"), 1);
}

TEST(MostPartialSums, AccumulatingAddsOneForEachPartOfTheContraction) {
  EXPECT_EQ(sums_of("gemm c[0:8, 0:2] a[0:8, 0:2] b[0:2, 0:2] ij,jk->ik\n"
                    "gemm c[0:8, 0:2] a[0:8, 2:3] b[2:3, 0:2] ij,jk->ik accumulate\n"
                    "gemm c[0:8, 0:2] a[0:8, 3:4] b[3:4, 0:2] ij,jk->ik accumulate\n"),
            3);
}

TEST(MostPartialSums, RowsThatAreAddedApartDoNotCountTogether) {
  EXPECT_EQ(sums_of("gemm c[0:4, 0:2] a[0:4, 0:2] b[0:2, 0:2] ij,jk->ik\n"
                    "gemm c[4:8, 0:2] a[4:8, 0:2] b[0:2, 0:2] ij,jk->ik\n"
                    "gemm c[0:4, 0:2] a[0:4, 2:4] b[2:4, 0:2] ij,jk->ik accumulate\n"
                    "gemm c[4:8, 0:2] a[4:8, 2:4] b[2:4, 0:2] ij,jk->ik accumulate\n"),
            2);
}

TEST(MostPartialSums, WhatIsWrittenAnewBeginsAnew) {
  EXPECT_EQ(sums_of("gemm t[0:8, 0:2] a[0:8, 0:2] b[0:2, 0:2] ij,jk->ik\n"
                    "gemm c[0:8, 0:2] a[0:8, 2:4] b[2:4, 0:2] ij,jk->ik\n"
                    "reduce c[0:8, 0:2] t[0:8, 0:2]\n"
                    "map t[0:8, 0:2] zero\n"
                    "map t[0:8, 0:2] add t[0:8, 0:2] c[0:8, 0:2]\n"
                    "copy c[0:8, 0:2] t[0:8, 0:2]\n"),
            2);
}

TEST(MostPartialSums, ASumThatIsDoubledOverAndOverStaysANumber) {
  std::string ops = "gemm c[0:8, 0:2] a[0:8, 0:4] b[0:4, 0:2] ij,jk->ik\n";
  for (int i = 0; i < 100; ++i) ops += "map c[0:8, 0:2] add c[0:8, 0:2] c[0:8, 0:2]\n";
  EXPECT_EQ(sums_of(ops), std::int64_t{1} << 31);
}

}  // namespace
}  // namespace meshmul::verification
