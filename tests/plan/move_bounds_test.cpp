#include "plan/move_bounds.hpp"

#include <gtest/gtest.h>

#include "plan/exhaustive/random_statements.hpp"
#include "plan/paths.hpp"
#include "plan/toy_hardware.hpp"

namespace meshmul {
namespace {

using testing::RandomStatements;

Machine machine_for(const Mesh& mesh, const Hardware& hardware) { return machines(mesh, hardware, {}).front(); }

TEST(MoveBounds, AreNoMoreThanWhatTheCheapestChainTakes) {
  RandomStatements draw(3);
  int tight = 0;
  int all = 0;
  for (int i = 0; i < 60; ++i) {
    const Mesh mesh = i % 2 == 0 ? Mesh{{"X", 2}, {"Y", 4}, {"Z", 2}} : Mesh{{"X", 3}, {"Y", 4}};
    const ArrayType array = draw.product(mesh).a;
    Hardware hardware = testing::toy_hardware(i % 3 == 0 ? NetworkKind::kSwitch : NetworkKind::kTorus);
    draw.draw_rates(hardware);
    const AxisNumbering axes(mesh);
    const Machine machine = machine_for(mesh, hardware);
    const CostModel cost(axes, machine);
    const AxisSet kept = i % 5 == 0 ? 1U : 0U;
    const StateSpace space(array, {array.dtype, array.dtype, kept}, axes.all(), axes);
    const ArrayStates states(space, cost);
    const MoveBounds bounds(space, cost);
    const int from = draw.pick(0, space.size() - 1);
    const Anchor anchor{from, 0};
    const PathTable paths(states, Direction::kFromAnchors, std::span(&anchor, 1));
    for (int to = 0; to < space.size(); ++to) {
      if (paths.paths_of(to).empty()) continue;
      const double least = paths.path(paths.paths_of(to).front()).seconds;
      EXPECT_LE(bounds.seconds(from, to), least * (1 + 1e-11))
          << to_string(space.type(from), mesh) << " -> " << to_string(space.type(to), mesh);
      ++all;
      if (bounds.seconds(from, to) >= 0.5 * least) ++tight;
    }
  }
  // A bound of nothing would hold as well.
  EXPECT_GT(tight, all / 2);
}

TEST(MoveBounds, OfASingleMoveAreItsTime) {
  const Mesh mesh{{"X", 4}};
  const ArrayType array = parse_array("f32 A[I=64, J=64]", mesh);
  const Hardware hardware = testing::toy_hardware();
  const AxisNumbering axes(mesh);
  const Machine machine = machine_for(mesh, hardware);
  const CostModel cost(axes, machine);
  const StateSpace space(array, {Dtype::kF32, Dtype::kF32, 0}, axes.all(), axes);
  const MoveBounds bounds(space, cost);
  const auto state = [&](const char* text) { return space.find(axes.pack(parse_array(text, mesh).sharding)); };
  const auto expect_tight = [&](const char* from, const char* to) {
    EXPECT_DOUBLE_EQ(bounds.seconds(state(from), state(to)), edge(space, cost, state(from), state(to))->seconds);
  };
  expect_tight("f32 A[I=64_X, J=64]", "f32 A[I=64, J=64]");
  expect_tight("f32 A[I=64_X, J=64]", "f32 A[I=64, J=64_X]");
  expect_tight("f32 A[I=64, J=64]{U_X}", "f32 A[I=64_X, J=64]");
  expect_tight("f32 A[I=64, J=64]", "f32 A[I=64_X, J=64]");
}

}  // namespace
}  // namespace meshmul
