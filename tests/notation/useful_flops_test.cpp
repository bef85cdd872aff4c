#include "notation/useful_flops.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 2}};

TEST(UsefulFlops, AProductHasTwoForEachTermHoweverItIsCut) {
  EXPECT_EQ(useful_flops(parse_statement("A[M=4_X, K=3] * B[K, N=5_X] -> C[M, N_X]", kMesh)), 2.0 * 4 * 3 * 5);
  EXPECT_EQ(useful_flops(parse_statement("A[S=2, M=4, K=3] * B[S, K, N=5] -> C[S, M, N]", kMesh)), 2.0 * 2 * 4 * 3 * 5);
}

TEST(UsefulFlops, WhatMultipliesNothingHasNone) {
  EXPECT_EQ(useful_flops(parse_statement("A[M=4_X, K=3] -> A[M, K]", kMesh)), 0);
}

TEST(UsefulFlops, ProductsOfALoopCountInEveryPass) {
  const Program program = parse_program(
      "f32 X[B=8_X, D=6]\nf32 W1[L=3, D, F=10_X]\nf32 W2[L, F_X, D]\nf32 V[D, G=5]\n"
      "repeat L as l {\n  H = gelu(X * W1[l])\n  X = H * W2[l] like X\n}\nY = X * V\n",
      kMesh);
  EXPECT_EQ(useful_flops(program), 3 * 2 * 2.0 * 8 * 6 * 10 + 2.0 * 8 * 6 * 5);
}

}  // namespace
}  // namespace meshmul
