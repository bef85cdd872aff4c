#include "plan/short_chains.hpp"

#include <gtest/gtest.h>

#include "plan/array_states.hpp"
#include "plan/toy_hardware.hpp"

namespace meshmul {
namespace {

class ShortChains : public ::testing::Test {
 protected:
  int state(const char* text) const { return space_.find(axes_.pack(parse_array(text, mesh_).sharding)); }
  std::optional<ShortChain> chain(const char* from, const char* to, bool makes_output = false) const {
    return short_chain(space_, cost_, state(from), state(to), makes_output);
  }
  double seconds(const char* from, const char* to) const {
    return edge(space_, cost_, state(from), state(to))->seconds;
  }

  const Mesh mesh_{{"X", 2}, {"Y", 4}};
  const ArrayType array_ = parse_array("f32 A[I=64, J=64]", mesh_);
  const Hardware hardware_ = testing::toy_hardware();
  const Machine machine_ = machines(mesh_, hardware_, {}).front();
  const AxisNumbering axes_{mesh_};
  const CostModel cost_{axes_, machine_};
  const StateSpace space_{array_, {Dtype::kF32, Dtype::kF32, 0}, axes_.all(), axes_};
};

TEST_F(ShortChains, AreNoMoveWhereNothingChanges) {
  const ShortChain none = chain("f32 A[I=64_X, J=64]", "f32 A[I=64_X, J=64]").value();
  EXPECT_EQ(none.seconds, 0);
  EXPECT_EQ(none.new_bytes, 0);
}

TEST_F(ShortChains, AreASingleMoveWhereThereIsOne) {
  const ShortChain gather = chain("f32 A[I=64_X, J=64]", "f32 A[I=64, J=64]").value();
  EXPECT_EQ(gather.seconds, seconds("f32 A[I=64_X, J=64]", "f32 A[I=64, J=64]"));
  EXPECT_EQ(gather.new_bytes, 4 * 64 * 64);
}

TEST_F(ShortChains, CountASliceThatMakesTheOutput) {
  EXPECT_EQ(chain("f32 A[I=64, J=64]", "f32 A[I=64_Y, J=64]", false)->new_bytes, 0);
  EXPECT_EQ(chain("f32 A[I=64, J=64]", "f32 A[I=64_Y, J=64]", true)->new_bytes, 4 * 16 * 64);
}

TEST_F(ShortChains, CompleteSumsBeforeTheyMoveOn) {
  // No single move reduces along Y and gathers along X.
  const ShortChain both = chain("f32 A[I=64_X, J=64]{U_Y}", "f32 A[I=64, J=64]").value();
  EXPECT_EQ(both.seconds, std::min(seconds("f32 A[I=64_X, J=64]{U_Y}", "f32 A[I=64_XY, J=64]") +
                                       seconds("f32 A[I=64_XY, J=64]", "f32 A[I=64, J=64]"),
                                   seconds("f32 A[I=64_X, J=64]{U_Y}", "f32 A[I=64_X, J=64]") +
                                       seconds("f32 A[I=64_X, J=64]", "f32 A[I=64, J=64]")));
}

TEST_F(ShortChains, LeadToAnyCompleteStateWhereNoneIsNamed) {
  EXPECT_EQ(short_chain(space_, cost_, state("f32 A[I=64_X, J=64]"), {}, true)->seconds, 0);
  EXPECT_EQ(short_chain(space_, cost_, state("f32 A[I=64, J=64]{U_X}"), {}, true)->seconds,
            seconds("f32 A[I=64, J=64]{U_X}", "f32 A[I=64_X, J=64]"));
}

TEST_F(ShortChains, AreNothingWhereTheArrayWouldHaveToBecomePartial) {
  EXPECT_FALSE(chain("f32 A[I=64_X, J=64]", "f32 A[I=64, J=64]{U_X}"));
}

}  // namespace
}  // namespace meshmul
