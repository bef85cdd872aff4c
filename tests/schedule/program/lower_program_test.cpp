#include "meshmul/lower_program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>
#include <vector>

#include "plan/toy_hardware.hpp"
#include "schedule/expect_proven.hpp"
#include "support/run_program.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

ProgramPlan plan_of(const std::string& text, const Mesh& mesh) {
  return plan(parse_program(text, mesh, Dtype::kF64), mesh, testing::toy_hardware());
}

std::vector<std::string> names(const std::vector<ProgramArray>& arrays) {
  std::vector<std::string> names;
  for (const ProgramArray& array : arrays) names.push_back(array.name);
  return names;
}

void expect_right(const ProgramPlan& plan, const ProgramWay& way, std::uint64_t seed) {
  const Schedule schedule = lower(plan, way);
  SCOPED_TRACE(to_string(plan.best.program, plan.mesh) + "\n" + to_string(schedule));
  testing::expect_proven(schedule);
  EXPECT_EQ(parse_schedule(to_string(schedule)), schedule);
  for (const char* name : {"reference", "threads"}) {
    const Executor& executor = *find_executor(name);
    const Schedule legal = legalize(schedule, executor.capabilities());
    ExecuteOptions execute;
    execute.seed = seed;
    execute.poison = true;
    execute.kernels = MESHMUL_TEST_KERNELS;
    const auto session = executor.open(legal, execute);
    for (std::uint64_t run = 0; run < 2; ++run)
      EXPECT_EQ(testing::run_and_compare(*session, legal, plan, seed + run), "") << name;
  }
}

const std::string kStack =
    "X[B=8, D=6]\nW1[L=3, D, F=8_X]\nW2[L, F_X, D]\n"
    "repeat L as l {\n  H = relu(X * W1[l])\n  X = H * W2[l] like X\n}\n";
const std::string kShardedStack =
    "X[B=8, D=6_X]\nW1[L=3, D, F=8_X]\nW2[L, F_X, D]\n"
    "repeat L as l {\n  H = relu(X * W1[l])\n  X = H * W2[l] like X\n}\n";

TEST(LowerProgram, AStackOfLayersEndsInAllReduces) { expect_right(plan_of(kStack, Mesh{{"X", 4}}), LowerOptions{}, 1); }

TEST(LowerProgram, AStackOfLayersGathersAndScatters) {
  const ProgramPlan plan = plan_of(kShardedStack, Mesh{{"X", 4}});
  for (const Design design : designs()) {
    LowerOptions options;
    options.overlap.gather = options.overlap.reduce = design;
    expect_right(plan, options, 2);
  }
}

TEST(LowerProgram, EachProductCanBeBuiltInItsOwnWay) {
  const ProgramPlan plan = plan_of(kShardedStack, Mesh{{"X", 3}});
  const auto by = [](Design design) {
    LowerOptions options;
    options.overlap.gather = options.overlap.reduce = design;
    return options;
  };
  std::vector<int> products;
  for (std::size_t i = 0; i < plan.best.parts.size(); ++i)
    if (plan.best.parts[i].kind == PartKind::kStatement) products.push_back(static_cast<int>(i));
  ASSERT_EQ(products.size(), 2U);
  for (const Design first : designs())
    for (const Design second : {Design::kSequential, Design::kPush, Design::kInPlace}) {
      if (first == second) continue;
      const ProgramWay way(by(second), {{products[0], "H", by(first)}});
      expect_right(plan, way, 8);
      const auto other_ways = {ProgramWay(by(first)), ProgramWay(by(second))};
      for (const ProgramWay& all_alike : other_ways) EXPECT_NE(lower(plan, way), lower(plan, all_alike));
    }
}

TEST(LowerProgram, NoWaitCouldBeLeftOut) {
  for (std::string text : {kStack, kShardedStack}) {
    text.replace(text.find("L=3"), 3, "L=2");
    EXPECT_EQ(testing::redundant_wait_in(lower(plan_of(text, Mesh{{"X", 2}}))), std::nullopt);
  }
}

TEST(LowerProgram, SlicesAreInputsOfTheirOwn) {
  const ProgramArrays arrays = contract_arrays(plan_of(kStack, Mesh{{"X", 2}}));
  EXPECT_THAT(names(arrays.inputs), ElementsAre("X", "W1l0", "W2l0", "W1l1", "W2l1", "W1l2", "W2l2"));
  EXPECT_EQ(arrays.inputs[4], (ProgramArray{"W2l1", 2, 1}));
  EXPECT_THAT(names(arrays.outputs), ElementsAre("Xout"));
}

TEST(LowerProgram, LayersShareTheirMemory) {
  const auto bytes_besides_weights = [](const std::string& layers) {
    std::string text = kShardedStack;
    text.replace(text.find("L=3"), 3, "L=" + layers);
    const Schedule schedule = lower(plan_of(text, Mesh{{"X", 4}}), {Algorithm::kRing});
    std::int64_t bytes = bytes_per_rank(schedule);
    for (const BufferDecl& buffer : schedule.buffers)
      if (buffer.name.starts_with("W")) bytes -= buffer.num_bytes();
    return bytes;
  };
  EXPECT_EQ(bytes_besides_weights("3"), bytes_besides_weights("8"));
}

TEST(LowerProgram, AStackTakesTheMemoryThatItsPlanSays) {
  for (const std::string& text : {kStack, kShardedStack}) {
    const ProgramPlan plan = plan_of(text, Mesh{{"X", 4}});
    EXPECT_EQ(bytes_per_rank(lower(plan)), plan.best.peak_bytes) << text;
  }
}

TEST(LowerProgram, AGatedLayer) {
  expect_right(plan_of("X[B=5, D=6]?\nWg[D, F=9]?\nWu[D, F]?\nWd[F, D]?\nS = relu(X * Wg)\nV = X * Wu\n"
                       "H = mul(S, V)\nY = H * Wd like X\n",
                       Mesh{{"X", 2}, {"Y", 2}}),
               LowerOptions{}, 3);
}

TEST(LowerProgram, EveryFunction) {
  expect_right(plan_of("X[B=5_X, D=6]\nW[D, F=7_Y]\nb[F]\ns[B_Y]\nt[]\nP = X * W\nQ = bias(P, b)\nR = scale(Q, s)\n"
                       "S = scale(R, t)\nT = add(S, P)\nU = mul(T, T)\nf32 V[F_X, B] = convert(U)\n"
                       "f64 Z[B, F_X] = convert(V)\nA = relu(Z)\nC = add(A, A)\n",
                       Mesh{{"X", 2}, {"Y", 3}}),
               LowerOptions{}, 4);
}

TEST(LowerProgram, AProductIsRoundedBeforeItIsConverted) {
  expect_right(plan_of("bf16 X[B=4, D=8_X]\nbf16 W[D_X, F=4]\nf32 Y[B, F] = convert(X * W)\nV[B, F_X] = convert(Y)\n",
                       Mesh{{"X", 2}}),
               LowerOptions{}, 5);
}

TEST(LowerProgram, AnArrayTimesItself) {
  expect_right(plan_of("X[B=4_X, D=5]\nG[D] = X * X\nY = X * G\n", Mesh{{"X", 2}}), LowerOptions{}, 6);
}

// A program of products and functions whose arrays are cut in any way.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {}

  Mesh mesh() {
    mesh_ = below(2) == 0 ? Mesh{{"X", 2 + below(3)}} : Mesh{{"X", 2}, {"Y", 2 + below(2)}};
    return mesh_;
  }

  std::string text() {
    const auto size = [&] { return 1 + below(9); };
    std::string text = fmt::format("X{}\n", dims({{"B", size()}, {"D", size()}}));
    const std::string layers = fmt::format("L={}, ", 1 + below(3));
    const std::int64_t width = size();
    for (const char* name : {"U", "V"})
      text += fmt::format("{}[{}{}\n", name, layers, dims({{"D", 0}, {"F", width}}).substr(1));
    text += fmt::format("W[L, {}\nb{}\nrepeat L as l {{\n", dims({{"F", 0}, {"D", 0}}).substr(1), dims({{"D", 0}}));
    const bool is_gated = below(2) == 0;
    text += fmt::format("  G{} = relu(X * U[l])\n", made({"B", "F"}));
    if (is_gated) text += fmt::format("  H{} = X * V[l]\n  G{} = mul(G, H)\n", made({"B", "F"}), made({"B", "F"}));
    if (!is_gated) text += "  H = X * V[l]\n  G = add(G, H)\n";
    text += fmt::format("  Z{} = G * W[l]\n", made({"B", "D"}));
    text += below(2) == 0 ? "  X = bias(Z, b) like X\n" : "  N = bias(Z, b)\n  X[B, D] = relu(N)\n";
    return text + "}\n" + (below(2) == 0 ? fmt::format("Y{} = convert(X)\n", dims({{"D", 0}, {"B", 0}})) : "");
  }

  /// Some of the parts are built in a way of their own.
  ProgramWay way(const ProgramPlan& plan) {
    ProgramWay way = options();
    for (std::size_t i = 0; i < plan.best.parts.size(); ++i)
      if (below(3) == 0) way.parts.push_back({static_cast<int>(i), "", options()});
    return way;
  }

 private:
  LowerOptions options() {
    LowerOptions options;
    options.algorithm = algorithms()[static_cast<std::size_t>(below(static_cast<std::int64_t>(algorithms().size())))];
    const auto design = [&] {
      return designs()[static_cast<std::size_t>(below(static_cast<std::int64_t>(designs().size())))];
    };
    options.overlap.gather = design();
    options.overlap.reduce = design();
    options.overlap.chunks_per_shard = static_cast<int>(1 + below(2));
    return options;
  }

  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }

  // Sizes of 0 are left out. Each mesh axis cuts some dimension, or none; or nothing is written.
  std::string dims(const std::vector<std::pair<std::string, std::int64_t>>& sizes) {
    std::vector<std::string> axes(sizes.size());
    for (const MeshAxis& axis : mesh_.axes())
      if (const auto dim = static_cast<std::size_t>(below(static_cast<std::int64_t>(sizes.size()) + 1));
          dim < sizes.size())
        axes[dim] += axis.name;
    const bool is_open = below(3) == 0;
    std::vector<std::string> texts;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      texts.push_back(sizes[d].first);
      if (sizes[d].second > 0) texts.back() += fmt::format("={}", sizes[d].second);
      if (!is_open && !axes[d].empty()) texts.back() += "_" + axes[d];
    }
    return fmt::format("[{}]{}", fmt::join(texts, ", "), is_open ? "?" : "");
  }

  // Of a result: cut in any way, or left to the planner.
  std::string made(const std::vector<std::string>& indices) {
    if (below(2) == 0) return "";
    std::vector<std::pair<std::string, std::int64_t>> sizes;
    for (const std::string& index : indices) sizes.emplace_back(index, 0);
    return dims(sizes);
  }

  std::mt19937_64 random_;
  Mesh mesh_;
};

TEST(LowerProgram, RandomProgramsGiveTheRightNumbers) {
  for (std::uint64_t seed = 0; seed < 120 / MESHMUL_RANDOM_CASE_DIVISOR; ++seed) {
    RandomProgram random(seed);
    const Mesh mesh = random.mesh();
    const std::string text = random.text();
    SCOPED_TRACE(fmt::format("seed {} on {}\n{}", seed, mesh.str(), text));
    const ProgramPlan plan = plan_of(text, mesh);
    expect_right(plan, random.way(plan), seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace meshmul
