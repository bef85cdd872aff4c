// Changes of sharding and collectives: nothing is multiplied, so everything is compared.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "kernels/kernels.hpp"
#include "meshmul/check.hpp"
#include "meshmul/random.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 2}, {"Y", 2}};

TEST(MovedElements, HaveToBeTheSame) {
  for (const Dtype dtype : kAllDtypes) {
    const Statement statement = parse_statement("AllGather_X(" + std::string(name(dtype)) + " A[I=6_X, J=5])", kMesh);
    const HostArray array = random_array(dtype, {6, 5}, {.seed = 2});
    CheckResult result = check(statement, {array}, array);
    EXPECT_TRUE(result.ok) << name(dtype);
    EXPECT_EQ(to_string(result), "every element compared with the input: largest error 0, its bound 0, at [0, 0]");
    HostArray wrong = array;
    wrong.set(17, array[17] == 0.5 ? 0.25 : 0.5);
    if (dtype == Dtype::kI8 || dtype == Dtype::kI32) wrong.set(17, array[17] == 3 ? 4 : 3);
    result = check(statement, {array}, wrong);
    EXPECT_FALSE(result.ok) << name(dtype);
    EXPECT_THAT(result.element->position, testing::ElementsAre(3, 2)) << name(dtype);
  }
}

TEST(MovedElements, FollowTheOrderOfTheIndices) {
  const Statement statement = parse_statement("A[I=3_X, J=4, K=5] -> A[K, I, J_Y]", kMesh);
  const HostArray from = random_array(Dtype::kF32, {3, 4, 5}, {.seed = 2});
  HostArray to(Dtype::kF32, {5, 3, 4});
  const int permutation[] = {2, 0, 1};
  meshmul::copy(to.view(), from.view(), permutation);
  EXPECT_TRUE(check(statement, {from}, to).ok);
  to.set(59, 9);
  EXPECT_THAT(check(statement, {from}, to).element->position, testing::ElementsAre(4, 2, 3));
}

TEST(MovedElements, WithoutIndicesAreMatchedByPosition) {
  const Statement statement = parse_statement("AllGather_X(fp32[6_X, 5])", kMesh);
  const HostArray array = random_array(Dtype::kF32, {6, 5}, {.seed = 2});
  EXPECT_TRUE(check(statement, {array}, array).ok);
}

TEST(MovedElements, KeepNanAndInfinity) {
  const Statement statement = parse_statement("A[I=4_X] -> A[I]", kMesh);
  HostArray array = random_array(Dtype::kF16, {4}, {.seed = 2});
  array.set(1, std::numeric_limits<double>::quiet_NaN());
  array.set(2, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(check(statement, {array}, array).ok);
  HostArray wrong = array;
  wrong.set(1, 0);
  EXPECT_FALSE(check(statement, {array}, wrong).ok);
}

TEST(MovedElements, AddTheirTerms) {
  for (const Dtype dtype : kAllDtypes) {
    const Statement statement = parse_statement("AllReduce_X(" + std::string(name(dtype)) + " A[I=600]{U_X})", kMesh);
    const HostArray first = random_array(dtype, {600}, {.seed = 2});
    const HostArray second = random_array(dtype, {600}, {.seed = 3});
    HostArray sum = first;
    meshmul::reduce(sum.view(), second.view(), {});
    const CheckResult result = check(statement, {Terms{&first, &second}}, Terms{&sum});
    if (dtype == Dtype::kI8) continue;  // -128 + -128 has no i8
    EXPECT_TRUE(result.ok) << name(dtype) << ": " << to_string(result);
    EXPECT_FALSE(check(statement, {Terms{&first, &second}}, Terms{&first}).ok) << name(dtype);
    // As two terms again, without any addition.
    EXPECT_TRUE(check(statement, {Terms{&first, &second}}, Terms{&second, &first}).ok) << name(dtype);
  }
}

TEST(MovedElements, SumsOfIntegersWrap) {
  const Statement statement = parse_statement("AllReduce_X(i32 A[I=2]{U_X})", kMesh);
  HostArray term(Dtype::kI32, {2});
  term.set(0, 2'000'000'000);
  HostArray sum(Dtype::kI32, {2});
  sum.set(0, 4'000'000'000.0 - 4'294'967'296.0);
  EXPECT_TRUE(check(statement, {Terms{&term, &term}}, Terms{&sum}).ok);
}

TEST(MovedElements, OfEmptyArraysAreRight) {
  const Statement statement = parse_statement("A[I=0_X, J=3] -> A[I, J]", kMesh);
  const HostArray array(Dtype::kF32, {0, 3});
  EXPECT_EQ(to_string(check(statement, {array}, array)), "every element compared with the input: there is no element");
}

}  // namespace
}  // namespace meshmul
