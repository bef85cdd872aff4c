#include "schedule/local_product.hpp"

#include <gtest/gtest.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

std::string einsum(const char* a, const char* b, const char* c) {
  return einsum_of(parse_array(a, Mesh{}), parse_array(b, Mesh{}), parse_array(c, Mesh{}));
}

TEST(Einsum, TakesTheFirstLetterOfAnIndex) {
  EXPECT_EQ(einsum("A[B=1, I=2, J=3]", "B[B=1, J=3, K=4]", "C[B=1, I=2, K=4]"), "bij,bjk->bik");
}

TEST(Einsum, ThenItsCapitalThenAnyFreeLetter) {
  EXPECT_EQ(einsum("A[head=1, hidden=2, H=3]", "B[H=3, height=4]", "C[head=1, hidden=2, height=4]"), "hHa,ab->hHb");
}

TEST(Einsum, AnIndexOfOneInputAloneAndAScalarHaveTheirForm) {
  EXPECT_EQ(einsum("A[I=2]", "B[J=3]", "C[J=3, I=2]"), "i,j->ji");
  EXPECT_EQ(einsum("A[I=2]", "B[I=2]", "C[]"), "i,i->");
}

}  // namespace
}  // namespace meshmul
