#include "measure/product_case.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

ProductCase prepared(const char* text) {
  const Mesh mesh{{"X", 2}};
  return prepare_product(parse_statement(text, mesh), mesh, find_hardware("cpu"), *find_executor("threads"), {});
}

// The choice first, then every design but the one that was chosen, whose name is in the detail of the choice. A choice of
// several, `H: …; X: …`, is none of them.
void expect_every_way_once(const ProductCase& prepared) {
  std::vector<std::string> names;
  std::vector<std::string> details;
  for (const ProductRow& row : prepared.rows) names.push_back(row.name);
  for (const ProductRow& row : prepared.rows)
    if (row.name.find(',') == std::string::npos) details.push_back(row.detail);
  EXPECT_EQ(names.front(), "planner's choice");
  const bool chose_several = details.front().find(": ") != std::string::npos;
  EXPECT_EQ(details.size(), meshmul::designs().size() + (chose_several ? 1 : 0));
  EXPECT_EQ(std::set(details.begin(), details.end()).size(), details.size()) << testing::PrintToString(details);
  EXPECT_THAT(names, testing::Contains("collective, then BLAS"));
}

TEST(ProductCase, EveryDesignStandsBesideTheChoiceAndWhatOthersDo) {
  const ProductCase matmul = prepared("A[M=64_X, K=32] * B[K, N=16_X] -> C[M, N_X]");
  EXPECT_EQ(matmul.flops, 2.0 * 64 * 32 * 16);
  expect_every_way_once(matmul);
}

TEST(ProductCase, EveryWayRuns) {
  ProductCase matmul = prepared("A[M=64, K=32_X] * B[K_X, N=16] -> C[M_X, N]");
  EXPECT_GT(matmul.open_products_alone()(), 0);
  for (const ProductRow& row : matmul.rows)
    for (int run = 0; run < 2; ++run) EXPECT_GT(row.timed(), 0) << row.name;
}

TEST(ProductCase, AProgramHasTheSameRowsButForOneProcess) {
  const Mesh mesh{{"X", 2}};
  const Program program = parse_program(
      "f32 X[B=8_X, D=6]\nf32 W1[L=3, D, F=10_X]\nf32 W2[L, F_X, D]\n"
      "repeat L as l {\n  H = gelu(X * W1[l])\n  X = H * W2[l] like X\n}\nY = relu(X)\n",
      mesh);
  ProductCase layers = prepare_program(program, mesh, find_hardware("cpu"), *find_executor("threads"), {});
  EXPECT_EQ(layers.flops, 3 * 2 * 2.0 * 8 * 6 * 10);
  expect_every_way_once(layers);
  EXPECT_GT(layers.open_products_alone()(), 0);
  for (const ProductRow& row : layers.rows) EXPECT_GT(row.timed(), 0) << row.name;
}

TEST(ProductCase, AProgramWithoutAProductIsRefused) {
  const Mesh mesh{{"X", 2}};
  const Program program = parse_program("f32 X[B=8_X, D=6]\nY = relu(X)\n", mesh);
  EXPECT_THROW(prepare_program(program, mesh, find_hardware("cpu"), *find_executor("threads"), {}), Error);
}

TEST(ProductCase, AChangeOfShardingIsRefused) { EXPECT_THROW(prepared("A[M=64_X, K=32] -> A[M, K]"), Error); }

}  // namespace
}  // namespace meshmul::measure
