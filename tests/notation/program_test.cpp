// Values, statements and loops of programs, and their sizes.

#include "meshmul/program.hpp"

#include <gmock/gmock.h>

#include <string>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kMesh{{"X", 2}, {"Y", 2}};

/// The value of `name` that is made or declared as the `nth` of that name.
ValueId find(const Program& program, const std::string& name, int nth = 0) {
  for (ValueId id = 0; id < static_cast<ValueId>(program.values.size()); ++id)
    if (program.value(id).type.name == name && nth-- == 0) return id;
  ADD_FAILURE() << "no value " << name;
  return 0;
}

template <class Call>
std::string message(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "no error";
}

constexpr const char* kStack = R"(
bf16 X[B=128, D=16]?
bf16 W1[L=4, D, F=32]?
bf16 W2[L, F, D]?
repeat L as l {
  H = gelu(X * W1[l])
  X = H * W2[l] like X
}
Y = relu(X)
)";

TEST(Program, ALoopCarriesWhatItMakesAnewAndHadBefore) {
  const Program program = parse_program(kStack, kMesh);
  const auto& repeat = std::get<Repeat>(program.items[0]);
  EXPECT_EQ(repeat.index, "L");
  EXPECT_EQ(repeat.variable, "l");
  EXPECT_EQ(repeat.count, 4);
  const ValueId before = find(program, "X", 0), begin = find(program, "X", 1), end = find(program, "X", 2),
                after = find(program, "X", 3);
  EXPECT_THAT(repeat.carries, ElementsAre(Carry{before, begin, end, after}));
  const ValueId w1 = find(program, "W1"), w2 = find(program, "W2"), h = find(program, "H");
  EXPECT_THAT(repeat.body, ElementsAre(ProductStatement{{begin, false}, {w1, true}, MapFunction::kGelu, h},
                                       ProductStatement{{h, false}, {w2, true}, std::nullopt, end}));
  const auto& relu = std::get<MapStatement>(std::get<ProgramStatement>(program.items[1]));
  EXPECT_THAT(relu.sources, ElementsAre(Use{after, false}));
}

TEST(Program, APassThatEndsLikeItBeginsBeginsLikeTheArrayBeforeTheLoop) {
  const Program program = parse_program(kStack, kMesh);
  EXPECT_EQ(program.value(find(program, "X", 1)).like, find(program, "X", 0));
  EXPECT_EQ(program.value(find(program, "X", 2)).like, find(program, "X", 1));
  EXPECT_EQ(program.value(find(program, "X", 3)).like, find(program, "X", 2));
  EXPECT_EQ(program.value(find(program, "H")).like, std::nullopt);
}

TEST(Program, WithoutLikeThePlannerChoosesWhereAPassBegins) {
  const Program program = parse_program("X[B_X, D]\ns[L=2]\nrepeat L as l {\n  X[B, D_X] = scale(X, s[l])\n}", kMesh);
  EXPECT_TRUE(program.value(find(program, "X", 1)).type.open);
  EXPECT_EQ(program.value(find(program, "X", 1)).like, std::nullopt);
  EXPECT_EQ(to_string(program.value(find(program, "X", 3)).type, kMesh), "f32 X[B, D_X]");
}

TEST(Program, LikeCopiesAxesByIndexAndPartialSums) {
  const Program program = parse_program("A[I_X, J]{U_Y}\nB[J, K]\nC[K, I] = A * B like A\nD = relu(C) like A", kMesh);
  EXPECT_EQ(to_string(program.value(find(program, "C")).type, kMesh), "f32 C[K, I_X]{U_Y}");
  EXPECT_EQ(to_string(program.value(find(program, "D")).type, kMesh), "f32 D[K, I_X]{U_Y}");
}

TEST(Program, WhatIsLikeAnOpenArrayIsOpen) {
  const Program program = parse_program("A[I, J]?\nC = relu(A) like A\nD = relu(C) like C", kMesh);
  EXPECT_TRUE(program.value(find(program, "D")).type.open);
}

TEST(Program, ASliceHasTheTypeWithoutTheFirstDimension) {
  const Program program = parse_program(kStack, kMesh);
  EXPECT_EQ(to_string(type_of(program, {find(program, "W1"), true}), kMesh), "bf16 W1[D=16, F=32]?");
  EXPECT_EQ(to_string(type_of(program, {find(program, "W1"), false}), kMesh), "bf16 W1[L=4, D=16, F=32]?");
}

TEST(Program, TheProductOfAStatementReturnsWhatProductsReturn) {
  const Program program = parse_program("i8 A[I_X, J]\nB[J, K]\nbf16 C[K_Y, I] = convert(A * B)", kMesh);
  const auto& statement = std::get<ProductStatement>(std::get<ProgramStatement>(program.items[0]));
  EXPECT_EQ(to_string(Statement(product_of(program, statement)), kMesh), "i8 A[I_X, J] * i8 B[J, K] -> i32 C[K_Y, I]");
}

TEST(Program, ACotangentThatNobodyDeclaresIsAnInputLikeItsArray) {
  const Program program = parse_program("X[B_X, D]\nW[D, E]?\nY = X * W\ngrad Y(dY) -> dW, dX", kMesh);
  const ValueId of = find(program, "Y"), cotangent = find(program, "dY");
  const ValueId x = find(program, "X"), w = find(program, "W"), dx = find(program, "dX"), dw = find(program, "dW");
  EXPECT_EQ(std::get<GradStatement>(std::get<ProgramStatement>(program.items[1])),
            (GradStatement{of, cotangent, {w, x}, {dw, dx}}));
  EXPECT_THAT(inputs(program), ElementsAre(x, w, cotangent));
  EXPECT_THAT(outputs(program), ElementsAre(of, dw, dx));
  EXPECT_EQ(program.value(cotangent).like, of);
  EXPECT_EQ(to_string(program.value(dx).type, kMesh), "f32 dX[B_X, D]");
  EXPECT_TRUE(program.value(dw).type.open);
}

TEST(Program, TheFirstArrayGivesItsDtypeElseTheDefault) {
  const Program program = parse_program("X[B]\nb[B]\nY = add(X, b)", kMesh, Dtype::kF16);
  for (const Value& value : program.values) EXPECT_EQ(value.type.dtype, Dtype::kF16);
  const Program written = parse_program("bf16 X[B]\nb[B]\nY = add(X, b)", kMesh, Dtype::kF16);
  for (const Value& value : written.values) EXPECT_EQ(value.type.dtype, Dtype::kBf16);
}

TEST(Program, ValuesKnowWhereTheirNamesStand) {
  const Program program = parse_program("X[B]\n\n  Y2 = relu(X)", kMesh);
  const auto place = place_of(program, find(program, "Y2"));
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->line(), 3U);
  EXPECT_EQ(place->text.substr(place->offset, place->length), "Y2");
  EXPECT_EQ(place_of(*to_program(parse_statement("A[I_X] -> A[I]", kMesh)), 0), std::nullopt);
}

TEST(Program, ASizeIsSetInAllArraysAndLoops) {
  Program program = parse_program("X[B, D=4]\ns[L]\nrepeat L as l { X = scale(X, s[l]) }", kMesh);
  EXPECT_EQ(message([&] { check_sizes(program); }), "index B has no size; write B=SIZE once");
  set_size(program, "B", 8);
  set_size(program, "L", 3);
  EXPECT_EQ(std::get<Repeat>(program.items[0]).count, 3);
  EXPECT_NO_THROW(check_sizes(program));
  EXPECT_EQ(message([&] { set_size(program, "B", 9); }), "index B already has size 8; found 9");
  EXPECT_EQ(message([&] { set_size(program, "Q", 9); }), "the program has no index Q");
}

TEST(Program, ALoopHasAPass) {
  const Program program = parse_program("X[B=1]\ns[L=0]\nrepeat L as l { X = scale(X, s[l]) }", kMesh);
  EXPECT_EQ(message([&] { check_sizes(program); }), "the repeat over L has no pass; L has size 0");
}

TEST(Program, WhatDoesNotFitSixtyTwoBitsIsTooLarge) {
  const Program array = parse_program("X[B=4611686018427387904]\nY = relu(X)", kMesh);
  EXPECT_EQ(message([&] { check_sizes(array); }),
            "X is too large: B=4611686018427387904 elements of f32 take 2^62 bytes or more");
  const Program product = parse_program(
      "X[B=2097152, D=2097152]\nW[L=2, D, E=2097152]\nV[E, D]\nrepeat L as l {\n  Y = X * W[l]\n  X = Y * V\n}", kMesh);
  EXPECT_EQ(message([&] { check_sizes(product); }),
            "the product is too large: B=2097152 x D=2097152 x E=2097152 is 2^62 multiplications or more");
}

TEST(Program, FaultsOfSizesHaveTheirPlace) {
  const Program program = parse_program("X[B=2]\nW[B, D]\nY = X * W", kMesh);
  try {
    check_sizes(program);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.report(), "W[B, D]\n^ index D has no size; write D=SIZE once");
  }
}

TEST(Program, OnlyASimpleProgramIsAStatement) {
  const auto is_statement = [](const std::string& text) {
    return to_statement(parse_program(text, kMesh)).has_value();
  };
  EXPECT_TRUE(is_statement("A[I_X, J]\nB[J, K]\nC[I, K] = A * B"));
  EXPECT_TRUE(is_statement("A[I_X, J]\nA[I, J] = convert(A)"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nB[J, K]\nC[I, K] = relu(A * B)"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nB[J, K]\nC[I, K] = A * B like A"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nB[J, K] = \"b\"\nC[I, K] = A * B"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nC = A * A"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nB[J, K]\nA = A * B"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nB[I, J] = convert(A)"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nbf16 A[I, J] = convert(A)"));
  EXPECT_FALSE(is_statement("A[I_X, J]\nB = relu(A)\nC = relu(B)"));
}

TEST(Program, StatementsWithoutNamesAreNoProgram) {
  EXPECT_FALSE(to_program(parse_statement("AllReduce_X(A[I]{U_X})", kMesh)).has_value());
  Product nameless{{"A", Dtype::kF32, {{"", 4}}, Sharding::replicated(1)}, {}, {}};
  EXPECT_FALSE(to_program(nameless).has_value());
}

}  // namespace
}  // namespace meshmul
