#include "plan/program/choices.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

const Mesh kX4Y2{{"X", 4}, {"Y", 2}};

ValueId value_named(const Program& program, const std::string& name) {
  for (std::size_t id = program.values.size(); id-- > 0;)
    if (program.values[id].type.name == name) return static_cast<ValueId>(id);
  return -1;
}

/// All shardings of a value, written out.
std::vector<std::string> shardings(const Program& program, const Choices& choices, const AxisNumbering& axes,
                                   const std::string& name) {
  std::vector<std::string> texts;
  const ValueId id = value_named(program, name);
  for (int option = 0; option < choices.num_options(choices.of(id)); ++option) {
    ArrayType type = program.value(id).type;
    type.open = false;
    for (Dim& dim : type.dims) dim.size = kUnknownSize;
    type.sharding = axes.unpack(choices.sharding(id, option), type.num_dims());
    texts.push_back(to_string(type, axes.mesh()));
  }
  return texts;
}

TEST(Choices, AnOpenArrayMayHaveEveryCompleteSharding) {
  const Program program = parse_program("A[I=8, J=8]?\nB[J, K=8_X]\nC = A * B\n", kX4Y2);
  const AxisNumbering axes(kX4Y2);
  const Choices choices(program, axes);
  EXPECT_EQ(choices.num_options(choices.of(value_named(program, "A"))), 11);
  EXPECT_EQ(choices.num_options(choices.of(value_named(program, "C"))), 11);
  EXPECT_EQ(shardings(program, choices, axes, "B"), std::vector<std::string>{"f32 B[J, K_X]"});
}

TEST(Choices, LikeTiesAnArrayToTheChoiceOfAnother) {
  const Program program = parse_program("A[I=8, J=8]?\nB[J, K=8]\nC = A * B like A\n", Mesh{{"X", 4}});
  const Mesh mesh{{"X", 4}};
  const AxisNumbering axes(mesh);
  const Choices choices(program, axes);
  EXPECT_EQ(choices.of(value_named(program, "A")), choices.of(value_named(program, "C")));
  EXPECT_EQ(shardings(program, choices, axes, "A"),
            (std::vector<std::string>{"f32 A[I, J]", "f32 A[I, J_X]", "f32 A[I_X, J]"}));
  // C lacks J.
  EXPECT_EQ(shardings(program, choices, axes, "C"),
            (std::vector<std::string>{"f32 C[I, K]", "f32 C[I, K]", "f32 C[I_X, K]"}));
}

TEST(Choices, NoAxisCutsTheDimensionThatALoopWalks) {
  const Mesh mesh{{"X", 4}};
  const Program program = parse_program(
      "A[I=8, J=8]?\nW[L=2, J, J2=8]?\nV[J2, J]\nrepeat L as l {\n  H = A * W[l]\n  A = H * V\n}\n", mesh);
  const AxisNumbering axes(mesh);
  const Choices choices(program, axes);
  EXPECT_EQ(shardings(program, choices, axes, "W"),
            (std::vector<std::string>{"f32 W[L, J, J2]", "f32 W[L, J, J2_X]", "f32 W[L, J_X, J2]"}));
  const ValueId w = value_named(program, "W");
  EXPECT_EQ(axes.unpack(choices.sharding({w, true}, 2), 2).dims, (std::vector<std::vector<int>>{{0}, {}}));
}

TEST(Choices, BytesAreThoseOfTheLargestShard) {
  const Mesh mesh{{"X", 4}};
  const Program program = parse_program("A[I=9, J=2]?\nB[J, K=2]\nC = A * B\n", mesh);
  const AxisNumbering axes(mesh);
  const Choices choices(program, axes);
  EXPECT_EQ(choices.bytes(0, 0), 9 * 2 * 4);
  EXPECT_EQ(choices.bytes(0, 2), 3 * 2 * 4);
}

}  // namespace
}  // namespace meshmul
