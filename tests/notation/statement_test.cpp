#include "meshmul/statement.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Mesh kMesh{{"X", 4}, {"Y", 2}, {"data", 2}};

Product product(const char* text) { return std::get<Product>(parse_statement(text, kMesh)); }

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

TEST(Statement, ProductHasItsParts) {
  const auto [a, b, c] = product("bf16 A[I=8_X, J] * B[J=16_{data}, K=4] -> C[I_X, K]{U_Y}");
  EXPECT_EQ(a, (ArrayType{"A", Dtype::kBf16, {{"I", 8}, {"J", 16}}, {{{0}, {}}, {}}, false}));
  EXPECT_EQ(b, (ArrayType{"B", Dtype::kBf16, {{"J", 16}, {"K", 4}}, {{{2}, {}}, {}}, false}));
  EXPECT_EQ(c, (ArrayType{"C", Dtype::kBf16, {{"I", 8}, {"K", 4}}, {{{0}, {}}, {1}}, false}));
}

TEST(Statement, InputsAndOutputAreInOrder) {
  Statement statement = parse_statement("A[I, J] * B[J, K] -> C[I, K]", kMesh);
  EXPECT_EQ(inputs(std::as_const(statement))[1]->name, "B");
  EXPECT_EQ(output(std::as_const(statement)).name, "C");
  inputs(statement)[0]->name = "D";
  output(statement).name = "E";
  EXPECT_EQ(to_string(statement, kMesh), "f32 D[I, J] * f32 B[J, K] -> f32 E[I, K]");

  statement = parse_statement("A[I_X] -> A[I]", kMesh);
  EXPECT_THAT(inputs(std::as_const(statement))[0]->sharding.dims[0], ElementsAre(0));
  EXPECT_THAT(output(statement).sharding.dims[0], IsEmpty());

  statement = parse_statement("AllGather_X(A[I_X])", kMesh);
  EXPECT_THAT(inputs(statement)[0]->sharding.dims[0], ElementsAre(0));
  EXPECT_THAT(output(std::as_const(statement)).sharding.dims[0], IsEmpty());
}

TEST(Statement, ACollectiveIsTransposed) {
  const auto back = [](const char* text) {
    return to_string(transposed(std::get<Collective>(parse_statement(text, kMesh)), kMesh), kMesh);
  };
  EXPECT_EQ(back("AllGather_X(A[I=8_X, J=4])"), "ReduceScatter_X,I(f32 dA[I=8, J=4]{U_X})");
  EXPECT_EQ(back("AllGather_YX(bf16 A[I_YX])"), "ReduceScatter_YX,I(bf16 dA[I]{U_XY})");
  EXPECT_EQ(back("ReduceScatter_X,J(A[I, J]{U_X})"), "AllGather_X(f32 dA[I, J_X])");
  EXPECT_EQ(back("AllReduce_X(A[I, J]{U_XY})"), "AllReduce_X(f32 dA[I, J]{U_X})");
  EXPECT_EQ(back("AllToAll_X,J(A[I_X, J])"), "AllToAll_X,I(f32 dA[I, J_X])");
  EXPECT_EQ(back("AllGather_XY(A[I_X, J_Y])"), "f32 dA[I, J]{U_XY} -> f32 dA[I_X, J_Y]");
  EXPECT_EQ(back("AllGather_X(A[I_X, J]{U_Y})"), "ReduceScatter_X,I(f32 dA[I, J]{U_X})");
}

TEST(Statement, IndexRolesAreInOrderOfOccurrence) {
  const IndexRoles roles = index_roles(product("A[P, K, B, M, Q] * B[N, Q, B, L, P] -> C[L, B, M, N, K]"));
  EXPECT_THAT(roles.batch, ElementsAre("B"));
  EXPECT_THAT(roles.left, ElementsAre("K", "M"));
  EXPECT_THAT(roles.right, ElementsAre("N", "L"));
  EXPECT_THAT(roles.contracted, ElementsAre("P", "Q"));
}

TEST(Statement, DotProductReturnsAScalar) {
  const Product dot = product("A[J_X] * B[J_X] -> C[]");
  EXPECT_EQ(dot.c.num_dims(), 0);
  EXPECT_THAT(index_roles(dot).contracted, ElementsAre("J"));
  EXPECT_THAT(index_roles(product("A[I] * B[K] -> C[I, K]")).contracted, IsEmpty());
}

TEST(Statement, SizesCanBeSetLater) {
  Statement statement = parse_statement("A[I=8, J] * B[J, K] -> C[I, K]", kMesh);
  EXPECT_EQ(message([&] { check_sizes(statement); }), "index J has no size; write J=SIZE once");
  set_size(statement, "J", 0);
  set_size(statement, "K", 3);
  set_size(statement, "I", 8);
  check_sizes(statement);
  EXPECT_EQ(to_string(statement, kMesh), "f32 A[I=8, J=0] * f32 B[J=0, K=3] -> f32 C[I=8, K=3]");
  EXPECT_THAT(global_shape(output(statement)), ElementsAre(8, 3));
}

TEST(Statement, SetSizeRefusesWhatCannotBe) {
  Statement statement = parse_statement("A[I=8_X, J] -> A[I, J_X]", kMesh);
  EXPECT_EQ(message([&] { set_size(statement, "I", 9); }), "index I already has size 8; found 9");
  EXPECT_EQ(message([&] { set_size(statement, "K", 9); }), "the statement has no index K");
  EXPECT_EQ(message([&] { set_size(statement, "J", -1); }),
            "index J cannot have size -1; sizes go from 0 to 4611686018427387904");
}

TEST(Statement, DtypeThatIsNotWrittenIsTheDefault) {
  EXPECT_EQ(to_string(parse_statement("A[I=2] -> A[I_X]", kMesh, Dtype::kI8), kMesh), "i8 A[I=2] -> i8 A[I=2_X]");
  EXPECT_EQ(to_string(parse_statement("f64 A[I=2] -> A[I_X]", kMesh, Dtype::kI8), kMesh), "f64 A[I=2] -> f64 A[I=2_X]");
  EXPECT_EQ(output(parse_statement("A[J] * B[J] -> C[]", kMesh, Dtype::kI8)).dtype, Dtype::kI32);
  EXPECT_EQ(inputs(parse_statement("AllGather_X([4_X])", kMesh, Dtype::kF16)).front()->dtype, Dtype::kF16);
}

TEST(Statement, WrittenDtypeIsThatOfTheFirstArray) {
  EXPECT_EQ(written_dtype("A[J] * bf16 B[J] -> C[]", kMesh), std::nullopt);
  EXPECT_EQ(written_dtype("half A[J] * B[J] -> C[]", kMesh), Dtype::kF16);
  EXPECT_EQ(written_dtype("AllGather_X(bf16 A[I_X])", kMesh), Dtype::kBf16);
  EXPECT_EQ(message([&] { written_dtype("AllGather_X", kMesh); }),
            "expected an array such as bf16 A[I_X, J]; the text ends here");
}

TEST(Statement, ArrayWithoutANameStaysWithoutOne) {
  const ArrayType type = parse_array("fp32[1024_XY, 4096]", kMesh);
  EXPECT_EQ(type, (ArrayType{"", Dtype::kF32, {{"", 1024}, {"", 4096}}, {{{0, 1}, {}}, {}}, false}));
  EXPECT_EQ(to_string(type, kMesh), "f32[1024_XY, 4096]");
}

}  // namespace
}  // namespace meshmul
