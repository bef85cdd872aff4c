#include <gmock/gmock.h>

#include "meshmul/way.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::SizeIs;

const Mesh kMesh{{"X", 4}, {"Y", 2}, {"Z", 2}};

std::string text_of(const std::string& text) { return to_string(parse_way(text, kMesh), kMesh); }

std::string refusal(const std::string& text) {
  return error_of([&] { parse_way(text, kMesh); });
}

TEST(ParseWay, SharesNamesSizesAndDtypesOverTheSteps) {
  EXPECT_EQ(text_of("AllGather_X(bf16 Y[D_X, F]); X[B=128, D=8192] * Y[D, F=32768] -> Z[B, F]"),
            "AllGather_X(bf16 Y[D=8192_X, F=32768]); "
            "bf16 X[B=128, D=8192] * bf16 Y[D=8192, F=32768] -> bf16 Z[B=128, F=32768]");
}

TEST(ParseWay, FollowsAnArrayThroughItsSteps) {
  const Way way = parse_way(
      "slice bf16 X[B=128, D=8192] -> X[B, D_X]; X[B, D_X] * Y[D_X, F=256] -> Z[B, F]{U_X}; AllReduce_X(Z[B, F]{U_X})",
      kMesh);
  ASSERT_THAT(way.steps, SizeIs(3));
  EXPECT_TRUE(std::holds_alternative<Reshard>(way.steps[0]));
  EXPECT_EQ(std::get<Product>(way.steps[1]).b.dtype, Dtype::kBf16);
  EXPECT_EQ(std::get<Collective>(way.steps[2]).from.dims[1].size, 256);
  std::vector<std::string> names;
  for (const ArrayType* input : inputs(way)) names.push_back(input->name);
  EXPECT_THAT(names, ElementsAre("X", "Y"));
}

TEST(ParseWay, GivesWhatAProductMakesItsDtype) {
  const Way way = parse_way("i8 A[I=8, J=8_X] * B[J_X, K=8] -> C[I, K]{U_X}; AllReduce_X(C[I, K]{U_X})", kMesh);
  EXPECT_EQ(std::get<Collective>(way.steps[1]).from.dtype, Dtype::kI32);
}

TEST(ParseWay, ReadsItsOwnText) {
  for (const char* text :
       {"AllGather_XY(bf16 A[I=8_X, J=8_Y])", "A[I=8, J=4] -> A[J_Z, I_Y]", "A[10_X, 3]{U_Y} -> A[10, 3]{U_Y}",
        "A[I=8_X, J=6] * B[J, K=4_Y] -> C[I_X, K_Y]; AllGather_Y(C[I_X, K_Y]); C[I_X, K] -> C[I, K_X]"}) {
    const std::string printed = text_of(text);
    EXPECT_EQ(text_of(printed), printed);
  }
}

TEST(ParseWay, LetsPartialSumsPassThroughAProduct) {
  EXPECT_EQ(text_of("A[I=8_Y, J=8]{U_X} * B[J, K=8] -> C[I_Y, K]{U_X}"),
            "f32 A[I=8_Y, J=8]{U_X} * f32 B[J=8, K=8] -> f32 C[I=8_Y, K=8]{U_X}");
}

TEST(ParseWay, SetsSizesInEveryStep) {
  Way way = parse_way("AllGather_X(A[I_X, J]); A[I, J] * B[J, K] -> C[I, K]", kMesh);
  for (const char* index : {"I", "J", "K"}) set_size(way, index, 8);
  EXPECT_EQ(to_string(way, kMesh),
            "AllGather_X(f32 A[I=8_X, J=8]); f32 A[I=8, J=8] * f32 B[J=8, K=8] -> f32 C[I=8, K=8]");
  EXPECT_EQ(error_of([&] { set_size(way, "L", 8); }), "the steps have no index L");
  EXPECT_EQ(error_of([&] { set_size(way, "I", 9); }), "index I already has size 8; found 9");
}

TEST(ParseWay, RefusesAnArrayThatIsNotAsTheStepBeforeLeftIt) {
  EXPECT_EQ(refusal("AllGather_X(Y[D_X, F]); X[B, D_X] * Y[D_X, F] -> Z[B, F]{U_X}"),
            "AllGather_X(Y[D_X, F]); X[B, D_X] * Y[D_X, F] -> Z[B, F]{U_X}\n"
            "                                    ^ Y is Y[D, F] by now; found Y[D_X, F]");
  EXPECT_EQ(refusal("AllGather_X(bf16 A[I_X]); f32 A[I] -> A[I_Y]"),
            "AllGather_X(bf16 A[I_X]); f32 A[I] -> A[I_Y]\n"
            "                          ^ A is bf16; found f32");
}

TEST(ParseWay, RefusesShardsThatDoNotMeet) {
  EXPECT_EQ(refusal("A[I, J_X] * B[J, K] -> C[I, K]"),
            "A[I, J_X] * B[J, K] -> C[I, K]\n"
            "            ^ index J is J_X in A and J in B; the shards of a local product are cut alike");
  EXPECT_EQ(
      refusal("A[I_X, J] * B[J, K_X] -> C[I_X, K]"),
      "A[I_X, J] * B[J, K_X] -> C[I_X, K]\n"
      "            ^ mesh axis X cuts I of A and already cuts dimension K of B; the shards of a local product meet "
      "along other axes");
  EXPECT_EQ(refusal("A[I, J]{U_X} * B[J, K]{U_X} -> C[I, K]{U_X}"),
            "A[I, J]{U_X} * B[J, K]{U_X} -> C[I, K]{U_X}\n"
            "               ^ A is partial over mesh axis X, which is already in {U_…} of B; reduce one of them first");
}

TEST(ParseWay, RefusesAnOutputThatTheShardsDoNotGive) {
  EXPECT_EQ(refusal("A[I_Y, J_X] * B[J_X, K] -> C[I_Y, K]"),
            "A[I_Y, J_X] * B[J_X, K] -> C[I_Y, K]\n"
            "                           ^ the shards of A and B give C[I_Y, K]{U_X}; found C[I_Y, K]");
}

TEST(ParseWay, RefusesWhatOneMoveDoesNotDo) {
  EXPECT_EQ(refusal("A[I_X, J]{U_Y} -> A[I, J]"),
            "A[I_X, J]{U_Y} -> A[I, J]\n"
            "                  ^ no single move leads from A[I_X, J]{U_Y} to A[I, J]; write the steps");
  EXPECT_EQ(refusal("slice A[I_X, J] -> A[I, J]"),
            "slice A[I_X, J] -> A[I, J]\n"
            "^ this does not slice: A[I_X, J] -> A[I, J] moves data");
}

TEST(ParseWay, RefusesWhatItCannotFollow) {
  EXPECT_EQ(refusal("A[I, J]? * B[J, K] -> C[I, K]"),
            "A[I, J]? * B[J, K] -> C[I, K]\n"
            "^ A has an open sharding (?), but steps are priced as they are written");
  EXPECT_EQ(refusal("A[I, J] * B[J, K] -> C[I, K]; D[I, J] * E[J, K] -> C[I, K]"),
            "A[I, J] * B[J, K] -> C[I, K]; D[I, J] * E[J, K] -> C[I, K]\n"
            "                                                   ^ C is there already; a product makes a new array");
  EXPECT_EQ(refusal("AllGather_X(A[8_X]); A[8] -> A[8_Y]"),
            "AllGather_X(A[8_X]); A[8] -> A[8_Y]\n"
            "              ^ several steps match dimensions by index; write I=8 with an index of your choice");
  EXPECT_EQ(refusal("AllGather_X(A[I_X]) A[I] -> A[I_Y]"),
            "AllGather_X(A[I_X]) A[I] -> A[I_Y]\n"
            "                    ^ expected ';' and another step, or nothing; found 'A'");
  EXPECT_EQ(refusal("AllGather_X(A[I=8_X]); A[I=9] -> A[I_Y]"),
            "AllGather_X(A[I=8_X]); A[I=9] -> A[I_Y]\n"
            "                           ^ index I already has size 8 in A; found 9");
  EXPECT_EQ(refusal("AllGather_X(A[I_X]);"),
            "AllGather_X(A[I_X]);\n"
            "                    ^ expected an array such as bf16 A[I_X, J]; the text ends here");
}

}  // namespace
}  // namespace meshmul
