#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "meshmul/random.hpp"
#include "meshmul/world.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

constexpr const char* kLayers =
    "X[B, D]?\nW1[L, D, F]?\nW2[L, F, D]?\nrepeat L as l {\n  H = relu(X * W1[l])\n  X = H * W2[l] like X\n}\n";

HostArray whole_numbers(const Shape& shape, std::uint64_t seed) { return random_array(dtype::f32, shape, {seed, 1}); }

NamedArrays layers(World& world, const P& x, const P& up, const P& down) {
  return world.run(kLayers, {{"X", world.scatter(whole_numbers({7, 6}, 1), x)},
                             {"W1", world.scatter(whole_numbers({2, 6, 9}, 2), up)},
                             {"W2", world.scatter(whole_numbers({2, 9, 6}, 3), down)}});
}

TEST(WorldProgram, GivesTheSameOnEveryMeshAndBackend) {
  World one = World::reference(Mesh{});
  const HostArray expected = layers(one, P(), P(), P()).at("X").gather();
  World threads = World::threads({{"X", 4}});
  const NamedArrays cut = layers(threads, P(nullptr, "X"), P(nullptr, nullptr, "X"), P(nullptr, "X"));
  ASSERT_EQ(cut.size(), 1U);
  EXPECT_EQ(cut.at("X").gather(), expected);
  EXPECT_EQ(cut.at("X").type().sharding, P(nullptr, "X").resolve(threads.mesh(), 2)) << "it is like what was given";
  World grid = World::reference({{"X", 2}, {"Y", 3}});
  EXPECT_EQ(layers(grid, P("X"), P(nullptr, nullptr, "Y"), P(nullptr, "Y")).at("X").gather(), expected);
}

TEST(WorldProgram, RunsAgainWithOtherArrays) {
  World world = World::threads({{"X", 2}});
  const Array a = world.scatter(whole_numbers({4, 4}, 1), P("X"));
  const Array b = world.scatter(whole_numbers({4, 4}, 2), P("X"));
  constexpr const char* kSum = "A[I=4_X, J=4]\nB[I_X, J]\nC = add(A, B)\nD = mul(A, B)\n";
  const NamedArrays first = world.run(kSum, {{"A", a}, {"B", b}});
  const NamedArrays second = world.run(kSum, {{"A", a}, {"B", a}});
  EXPECT_EQ(first.at("C").gather()[5], a.gather()[5] + b.gather()[5]);
  EXPECT_EQ(second.at("D").gather()[5], a.gather()[5] * a.gather()[5]);
}

TEST(WorldProgram, ArraysAreThoseThatTheProgramDeclares) {
  World world = World::threads({{"X", 2}});
  const Array x = world.zeros(dtype::f32, {4, 3}, P("X"));
  const auto message = [&](const std::string& program, const NamedArrays& arrays) {
    return testing::message_of([&] { world.run(program, arrays); });
  };
  constexpr const char* kRelu = "Xin[B=4, D=3]\nY = relu(Xin)\n";
  EXPECT_EQ(message(kRelu, {}), "no array is given for Xin; the program takes Xin");
  EXPECT_EQ(message(kRelu, {{"Xin", x}, {"Xi", x}}), "the program takes no array Xi; it takes Xin; did you mean Xin?");
  EXPECT_EQ(message(kRelu, {{"Xin", x}}),
            "the program declares f32 Xin[B=4, D=3]; the array that is given is f32[4_X, 3]");
  EXPECT_EQ(message("Xin[B=5, D]?\nY = relu(Xin)\n", {{"Xin", x}}),
            "the program declares f32 Xin[B=5, D]?; the array that is given is f32[4_X, 3]");
}

TEST(WorldProgram, AFaultInTheTextHasItsPlace) {
  World world = World::threads({{"X", 2}});
  try {
    world.run("A[I=4]\nB = relu(C)\n", {});
    FAIL() << "there is no C";
  } catch (const Error& error) {
    ASSERT_TRUE(error.place());
    EXPECT_EQ(error.place()->line(), 2U);
  }
}

}  // namespace
}  // namespace meshmul
