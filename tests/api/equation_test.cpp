#include "api/equation.hpp"

#include <gmock/gmock.h>

#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::meshmul::testing::error_of;

const Mesh kMesh{{"X", 2}};

ArrayType matrix(Dtype dtype, std::int64_t rows, std::int64_t columns) {
  return {"", dtype, {{"", rows}, {"", columns}}, Sharding::replicated(2), false};
}

TEST(Equation, BecomesAProductStatement) {
  const Product product =
      product_of("BD,DF->BF", matrix(Dtype::kI8, 2, 3), matrix(Dtype::kI8, 3, 5), P("X", nullptr), kMesh);
  EXPECT_EQ(to_string(Statement(product), kMesh), "i8 A[B=2, D=3] * i8 B[D=3, F=5] -> i32 C[B=2_X, F=5]");
}

TEST(Equation, WithoutAnOutputShardingLeavesItToThePlanner) {
  EXPECT_TRUE(product_of("ij,jk->ki", matrix(Dtype::kF32, 2, 3), matrix(Dtype::kF32, 3, 5), {}, kMesh).c.open);
}

TEST(Equation, ErrorsCarryThePlace) {
  const auto error = [](const char* equation) {
    return error_of([&] { product_of(equation, matrix(Dtype::kF32, 2, 3), matrix(Dtype::kF32, 4, 5), {}, kMesh); });
  };
  EXPECT_EQ(error("ij,jk->ik"), "ij,jk->ik\n ^ index j has size 3 in the first array and 4 in the second");
  EXPECT_EQ(error("ijl,jk->ilk"), "ijl,jk->ilk\n^ 'ijl' names 3 dimensions; the array has 2");
  EXPECT_EQ(error("ij,kl"), "ij,kl\n^ einsum 'ij,kl' is not of the form 'ij,jk->ik'");
  EXPECT_EQ(error("ij,kl->ik"), "ij,kl->ik\n ^ index j is in one input alone, so it must be in the output");
}

TEST(Equation, InputsOfTwoDtypesAreRefused) {
  EXPECT_EQ(error_of([] { product_of("ij,jk->ik", matrix(Dtype::kF32, 2, 3), matrix(Dtype::kBf16, 3, 5), {}, kMesh); }),
            "the inputs of a product have one dtype; found f32 and bf16");
}

}  // namespace
}  // namespace meshmul
