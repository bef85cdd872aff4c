// Plans of programs against the exhaustive planner of exhaustive_program.hpp, on small programs of random sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "meshmul/error.hpp"
#include "meshmul/pareto.hpp"
#include "plan/program/exhaustive_program.hpp"

namespace meshmul {
namespace {

using testing::ExhaustiveProgram;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }

  /// A network on which bytes, hops or the products may decide.
  Hardware hardware() {
    Hardware toy;
    toy.name = "toy";
    toy.chip.flops_per_second[Dtype::kF32] = pick(1, 4) * 1e6;
    toy.chip.memory_bytes_per_second = pick(1, 4) * 1e6;
    toy.chip.matrix_unit = pick(1, 8);
    toy.network.kind = pick(0, 3) == 0 ? NetworkKind::kSwitch : NetworkKind::kTorus;
    toy.network.link_bytes_per_second = pick(1, 9) * 1e4;
    toy.network.hop_seconds = pick(1, 9) * 1e-5;
    return toy;
  }

  /// `text` with a random size for every `#`.
  std::string sized(std::string text) {
    for (std::size_t at = 0; (at = text.find('#')) != std::string::npos;)
      text.replace(at, 1, std::to_string(pick(1, 40)));
    return text;
  }

 private:
  std::mt19937 random_;
};

constexpr std::int64_t kEnough = std::int64_t{1} << 40;

PlanOptions limited(const CostSettings& cost, std::int64_t bytes) {
  PlanOptions options;
  options.cost = cost;
  options.memory_bytes = bytes;
  return options;
}

/// Plans with all the memory there is, then with a byte less than what the last plan took, until nothing fits. The front
/// holds the same plans.
void expect_optimal(const std::string& text, const Mesh& mesh, const Hardware& hardware, const CostSettings& cost,
                    std::size_t most_limits) {
  SCOPED_TRACE(text + "over " + mesh.str() + ", " + to_string(cost));
  const Program program = parse_program(text, mesh);
  const std::vector<ProgramPlan> front = pareto_front(program, mesh, hardware, limited(cost, kEnough));
  ExhaustiveProgram exhaustive(program, mesh, hardware, cost);
  std::int64_t limit = kEnough;
  for (std::size_t i = 0; i < std::min(front.size(), most_limits); ++i) {
    const ExhaustiveProgram::Best best = exhaustive.best(static_cast<double>(limit));
    const ProgramPlan found = plan(program, mesh, hardware, limited(cost, limit));
    ASSERT_NEAR(found.best.seconds_sequential, best.seconds, best.seconds * 1e-9);
    ASSERT_LE(found.best.peak_bytes, limit);
    ASSERT_NEAR(front[i].best.seconds_sequential, best.seconds, best.seconds * 1e-9);
    ASSERT_LE(front[i].best.peak_bytes, limit);
    limit = front[i].best.peak_bytes - 1;
  }
  const ExhaustiveProgram::Best smallest = exhaustive.best(static_cast<double>(limit));
  EXPECT_EQ(smallest.seconds == std::numeric_limits<double>::infinity(), front.size() <= most_limits);
  const auto least = static_cast<std::int64_t>(smallest.least_bytes);
  EXPECT_EQ(front.back().best.peak_bytes, least);
  EXPECT_EQ(plan(program, mesh, hardware, limited(cost, least)).best.peak_bytes, least);
  EXPECT_THROW(plan(program, mesh, hardware, limited(cost, least - 1)), Error);
}

struct Case {
  const char* name;
  const char* mesh;
  const char* text;
};

// Two axes try eleven shardings of each matrix, so that programs over them leave few arrays open.
constexpr Case kCases[] = {
    {"mlp", "X=4", "A[B=#, D=#]?\nV[D, F=#]?\nW[F, D]?\nH = gelu(A * V)\nC = H * W like A\n"},
    {"mlp_2_axes", "X=2,Y=2", "A[B=#, D=#]?\nV[D, F=#]?\nW[F, D_X]\nH = gelu(A * V)\nC = H * W like A\n"},
    {"mlp_closed_2_axes", "X=2,Y=4", "A[B=#_X, D=#]\nV[D, F=#_Y]\nW[F_XY, D]\nH = A * V\nC[B_Y, D_X] = H * W\n"},
    {"gated", "X=3", "A[B=#, D=#]?\nV[D, F=#]\nW[D, F_X]\nS = silu(A * V)\nT = A * W\nC = mul(S, T)\n"},
    {"residual", "X=4", "A[B=#, D=#]?\nW[D, D2=#]?\nb[D2]\nR[B, D2_X]\nH = A * W\nG = bias(H, b)\nC = add(G, R)\n"},
    {"same_weight_twice", "X=4", "A[B=#, D=#]?\nW[D, F=#]?\nV[F, D]?\nH = A * W\nG = H * V\nC = G * W\n"},
    {"transposed", "X=2,Y=2", "A[B=#_X, D=#_Y]\nW[D, F=#]\nH = A * W\nT[F, B_X] = convert(H)\n"},
    {"loop", "X=3",
     "A[B=#, D=#]?\nV[L=3, D, F=#]?\nW[L, F, D]?\nrepeat L as l {\n  H = relu(A * V[l])\n  A = H * W[l]\n}\n"},
    {"tied_loop", "X=4",
     "A[B=#, D=#]?\nV[L=2, D, F=#]?\nW[L, F, D]?\nrepeat L as l {\n  H = A * V[l]\n  A = H * W[l] like A\n}\n"},
    {"loop_with_outside", "X=2",
     "A[B=#, D=#]?\nV[L=2, D, D2=#]?\nU[D2, D]?\nR = relu(A)\nrepeat L as l {\n  H = A * V[l]\n  G = H * U\n  A = "
     "add(G, R)\n}\n"},
    {"two_carries", "X=2",
     "A[B=#, D=#]?\nC[B, D]\nV[L=2, D, D2=#]?\nU[D2, D]\nrepeat L as l {\n  H = A * V[l]\n  A = H * U\n  C = add(A, "
     "C)\n}\nZ = add(A, C)\n"},
    {"one_pass", "X=4", "A[B=#, D=#]?\nV[L=1, D, F=#]?\nW[F, D]?\nrepeat L as l {\n  H = A * V[l]\n  A = H * W\n}\n"},
};

class ProgramOptimality : public ::testing::TestWithParam<Case> {};

TEST_P(ProgramOptimality, NoChoiceOfShardingsIsFaster) {
  Draw draw(7);
  const Mesh mesh = parse_mesh(GetParam().mesh);
  for (int i = 0; i < std::max(1, 3 / MESHMUL_RANDOM_CASE_DIVISOR); ++i) {
    const std::string text = draw.sized(GetParam().text);
    const Hardware hardware = draw.hardware();
    for (const char* model : {"exact", "book"}) expect_optimal(text, mesh, hardware, *find_cost_model(model), 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ProgramOptimality, ::testing::ValuesIn(kCases),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace meshmul
