// MLP layers, 1024 -> 16384 -> 1024 for a batch of 256, on 4 ranks whose weights are cut along the hidden dimension: every
// design gives what one rank gives.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "meshmul/check.hpp"
#include "meshmul/random.hpp"
#include "meshmul/tune.hpp"
#include "meshmul/world.hpp"

namespace meshmul {
namespace {

struct Layers {
  std::int64_t count = 1, batch = 0, width = 0, hidden = 0;
  std::string function = "gelu";
};

std::string program_of(const Layers& layers, Dtype dtype) {
  return fmt::format(
      "{} X[B={}, D={}_X]\nW1[L={}, D, F={}_X]\nW2[L, F_X, D]\n"
      "repeat L as l {{\n  H = {}(X * W1[l])\n  X = H * W2[l] like X\n}}\n",
      name(dtype), layers.batch, layers.width, layers.count, layers.hidden, layers.function);
}

/// X, W1 and W2.
std::vector<HostArray> arrays_of(const Layers& layers, Dtype dtype, std::int64_t whole_numbers_to) {
  const auto [count, batch, width, hidden, function] = layers;
  return {random_array(dtype, {batch, width}, {1, whole_numbers_to}),
          random_array(dtype, {count, width, hidden}, {2, whole_numbers_to}),
          random_array(dtype, {count, hidden, width}, {3, whole_numbers_to})};
}

HostArray run(const Layers& layers, const std::vector<HostArray>& arrays, int ranks, const LowerOptions& way) {
  WorldOptions options;
  options.lower = way;
  options.execute.kernels = MESHMUL_TEST_KERNELS;
  World world = World::threads({{"X", ranks}}, options);
  return world
      .run(program_of(layers, arrays[0].dtype()), {{"X", world.scatter(arrays[0], P(nullptr, "X"))},
                                                   {"W1", world.scatter(arrays[1], P(nullptr, nullptr, "X"))},
                                                   {"W2", world.scatter(arrays[2], P(nullptr, "X"))}})
      .at("X")
      .gather();
}

/// Against the layers in f64, in one piece.
CheckResult check(const Layers& layers, const std::vector<HostArray>& arrays, const HostArray& found) {
  const Program program = parse_program(program_of(layers, found.dtype()), Mesh{{"X", 1}});
  CheckOptions options;
  options.partial_sums = 4;
  return check(program, {{&arrays[0]}, {&arrays[1]}, {&arrays[2]}}, {{&found}}, options).front();
}

LowerOptions overlapped(Design gather, Design reduce) {
  LowerOptions way;
  way.overlap.gather = gather;
  way.overlap.reduce = reduce;
  return way;
}

/// The collectives by every algorithm, then every design, then a mixed one.
std::vector<LowerOptions> all_ways() {
  std::vector<LowerOptions> ways;
  for (const Algorithm algorithm : algorithms()) ways.push_back({algorithm, {}});
  for (const Design design : designs())
    if (design != Design::kSequential) ways.push_back(overlapped(design, design));
  ways.push_back(overlapped(Design::kPull, Design::kRing));
  return ways;
}

TEST(Mlp, EveryDesignIsWithinTheBoundOfRoundings) {
  for (const Dtype dtype : {dtype::f32, dtype::bf16})
    for (const std::int64_t count : {1, 4}) {
      const Layers layers{count, 16, 64, 256};
      const std::vector<HostArray> arrays = arrays_of(layers, dtype, 0);
      for (const LowerOptions& way : all_ways()) {
        const CheckResult result = check(layers, arrays, run(layers, arrays, 4, way));
        EXPECT_TRUE(result.ok) << count << " layers, " << name(dtype) << ", " << to_string(way) << ": "
                               << to_string(result);
      }
    }
}

TEST(Mlp, WholeNumbersAreExactlyThoseOfOneRank) {
  // Sums stay below 2^24; of bf16, below 2^8.
  const std::pair<Dtype, Layers> cases[] = {{dtype::f32, {1, 16, 64, 256, "relu"}},
                                            {dtype::f32, {4, 8, 8, 16, "relu"}},
                                            {dtype::f64, {4, 16, 64, 256, "relu"}},
                                            {dtype::i32, {4, 16, 64, 256, "relu"}},
                                            {dtype::bf16, {1, 8, 4, 16, "relu"}}};
  for (const auto& [dtype, layers] : cases) {
    const std::vector<HostArray> arrays = arrays_of(layers, dtype, 1);
    const HostArray expected = run(layers, arrays, 1, {});
    for (const LowerOptions& way : all_ways())
      EXPECT_EQ(run(layers, arrays, 4, way), expected)
          << layers.count << " layers, " << name(dtype) << ", " << to_string(way);
  }
}

TEST(Mlp, AFullLayerIsRightStepAfterStepAndOverlapped) {
  constexpr std::int64_t kCut = MESHMUL_RANDOM_CASE_DIVISOR == 1 ? 1 : 8;  // sanitizers are slow
  const Layers layers{1, 256 / kCut, 1024 / kCut, 16384 / kCut};
  const std::vector<HostArray> arrays = arrays_of(layers, dtype::f32, 0);
  for (const LowerOptions& way : {LowerOptions{}, overlapped(Design::kInPlace, Design::kInPlace)}) {
    const CheckResult result = check(layers, arrays, run(layers, arrays, 4, way));
    EXPECT_TRUE(result.ok) << to_string(way) << ": " << to_string(result);
  }
}

}  // namespace
}  // namespace meshmul
