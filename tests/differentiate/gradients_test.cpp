// Programs with gradients, planned, lowered, proven and run, against a plain computation and finite differences.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>

#include "meshmul/lower_program.hpp"
#include "plan/toy_hardware.hpp"
#include "schedule/expect_proven.hpp"
#include "support/plain_gradients.hpp"
#include "support/run_gradients.hpp"

namespace meshmul {
namespace {

using testing::Reals;
using Arrays = std::map<std::string, Reals>;

/// With `is_whole` small integers, on which f64 makes no error.
Arrays random_arrays(const Program& program, std::uint64_t seed, bool is_whole) {
  std::mt19937_64 random(seed);
  Arrays arrays;
  for (const ValueId id : inputs(program)) {
    const ArrayType& type = program.value(id).type;
    Reals& array = arrays[type.name];
    array.shape = global_shape(type);
    for (std::int64_t i = 0; i < Box::whole(array.shape).num_elements(); ++i)
      array.values.push_back(is_whole ? static_cast<double>(random() % 7) - 3
                                      : std::uniform_real_distribution<double>(-1, 1)(random));
  }
  return arrays;
}

void expect_equal(const std::vector<Reals>& found, const std::vector<Reals>& expected, double relative) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].shape, expected[i].shape) << "output " << i;
    for (std::size_t e = 0; e < found[i].values.size(); ++e)
      ASSERT_NEAR(found[i].values[e], expected[i].values[e], relative * (1 + std::abs(expected[i].values[e])))
          << "output " << i << ", element " << e;
  }
}

std::vector<Reals> run(const ProgramPlan& plan, const LowerOptions& options, const std::string& executor_name,
                       const Arrays& arrays) {
  const Executor& executor = *find_executor(executor_name);
  const Schedule schedule = legalize(lower(plan, options), executor.capabilities());
  ExecuteOptions execute;
  execute.poison = true;
  execute.kernels = MESHMUL_TEST_KERNELS;
  const auto session = executor.open(schedule, execute);
  return testing::run_on(*session, schedule, plan, arrays);
}

void expect_right(const std::string& text, const Mesh& mesh, bool is_whole, std::uint64_t seed = 1,
                  const PlanOptions& options = {}) {
  const Program program = parse_program(text, mesh, Dtype::kF64);
  const ProgramPlan planned = plan(program, mesh, testing::toy_hardware(), options);
  SCOPED_TRACE(fmt::format("{} on {}, seed {}\n{}", text, mesh.str(), seed, to_string(planned.best.program, mesh)));
  testing::expect_proven(lower(planned));
  const Arrays arrays = random_arrays(program, seed, is_whole);
  const std::vector<Reals> expected = testing::plain_results(program, arrays);
  for (const char* executor : {"reference", "threads"})
    expect_equal(run(planned, {}, executor, arrays), expected, is_whole ? 0 : 1e-12);
}

/// A mesh, and how weights are cut over it: `up[D, F]` and `down[F, D]`.
struct Setting {
  Mesh mesh;
  std::string data, up, down;
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all{
      {Mesh{{"X", 4}}, "[B=6, D=5]?", "D, F=9_X]", "F_X, D]"},
      {Mesh{{"X", 2}, {"Y", 2}}, "[B=6_X, D=5]", "D_X, F=9_Y]", "F_Y, D_X]"},
  };
  return all;
}

std::string mlp(const std::string& function, const Setting& s) {
  return fmt::format("X{}\nW1[{}\nW2[{}\nH = {}(X * W1)\nY = H * W2 like X\ngrad Y(dY) -> dX, dW1, dW2\n", s.data, s.up,
                     s.down, function);
}

std::string stack(const std::string& function, const Setting& s) {
  return fmt::format(
      "X{}\nW1[L=4, {}\nW2[L, {}\nrepeat L as l {{\n  H = {}(X * W1[l])\n  X = H * W2[l] like X\n}}\n"
      "grad X(dY) -> dX, dW1, dW2\n",
      s.data, s.up, s.down, function);
}

std::string gated(const std::string& function, const Setting& s) {
  return fmt::format(
      "X{}\nWg[{}\nWu[{}\nWd[{}\nS = {}(X * Wg)\nV = X * Wu\nH = mul(S, V)\nY = H * Wd like X\n"
      "grad Y(dY) -> dX, dWg, dWu, dWd\n",
      s.data, s.up, s.up, s.down, function);
}

TEST(Gradients, OfAnMlpAreThoseOfAPlainComputation) {
  for (const Setting& setting : settings()) {
    for (const char* function : {"gelu", "gelu_tanh", "silu"})
      expect_right(mlp(function, setting), setting.mesh, false);
    expect_right(mlp("relu", setting), setting.mesh, true);
  }
}

TEST(Gradients, OfAnMlpWhoseWeightsThePlannerCuts) {
  const Mesh mesh{{"X", 4}};
  expect_right(mlp("gelu", {mesh, "[B=6, D=5]?", "D, F=9]?", "F, D]?"}), mesh, false);
}

TEST(Gradients, OfAStackOfLayersAreThoseOfAPlainComputation) {
  for (const Setting& setting : settings()) {
    expect_right(stack("gelu", setting), setting.mesh, false);
    expect_right(stack("relu", setting), setting.mesh, true);
  }
}

TEST(Gradients, OfAGatedMlpAreThoseOfAPlainComputation) {
  for (const Setting& setting : settings()) {
    expect_right(gated("silu", setting), setting.mesh, false);
    expect_right(gated("relu", setting), setting.mesh, true);
  }
}

/// By central differences of sum(Y * dY). Each is off by h^2 / 6 times a third derivative, and by a rounding of the sum over
/// h: with h = 1e-4, inputs in [-1, 1], and sums and third derivatives below 100, by less than 1e-6.
TEST(Gradients, AreWhatDifferencesOfTheForwardPassShow) {
  constexpr double kStep = 1e-4;
  const Setting& setting = settings().back();
  const Mesh& mesh = setting.mesh;
  for (const std::string& text : {mlp("gelu", setting), gated("silu", setting), stack("gelu_tanh", setting)}) {
    const Program program = parse_program(text, mesh, Dtype::kF64);
    const Arrays arrays = random_arrays(program, 7, false);
    const std::vector<Reals> found = run(plan(program, mesh, testing::toy_hardware()), {}, "threads", arrays);
    const auto sum = [&](const Arrays& given) {
      const Reals y = testing::plain_results(program, given).front();
      double total = 0;
      for (std::size_t i = 0; i < y.values.size(); ++i) total += y.values[i] * given.at("dY").values[i];
      return total;
    };
    std::size_t output = 1;
    for (const auto& name : {"X", "W1", "W2", "Wg", "Wu", "Wd"}) {
      if (!arrays.contains(name)) continue;
      const Reals& gradient = found[output++];
      for (std::size_t i = 0; i < gradient.values.size(); i += 3) {
        Arrays up = arrays, down = arrays;
        up[name].values[i] += kStep;
        down[name].values[i] -= kStep;
        ASSERT_NEAR(gradient.values[i], (sum(up) - sum(down)) / (2 * kStep), 1e-6) << text << name << " " << i;
      }
    }
  }
}

TEST(Gradients, AreTheSameIfThingsAreComputedAgain) {
  const Setting& setting = settings().front();
  const Mesh& mesh = setting.mesh;
  for (const std::string& text : {mlp("gelu", setting), gated("silu", setting), stack("gelu", setting)}) {
    const Program program = parse_program(text, mesh, Dtype::kF64);
    const Arrays arrays = random_arrays(program, 3, false);
    const std::vector<Reals> expected = testing::plain_results(program, arrays);
    for (const Recompute recompute : {Recompute::kNothing, Recompute::kFunctions, Recompute::kProducts}) {
      const ProgramPlan planned = plan(differentiate(program, recompute).program, mesh, testing::toy_hardware());
      SCOPED_TRACE(to_string(planned.best.program, mesh));
      testing::expect_proven(lower(planned));
      expect_equal(run(planned, {}, "threads", arrays), expected, 1e-12);
    }
  }
}

TEST(Gradients, OfEveryFunctionAndOfArraysThatAreUsedOften) {
  expect_right(
      "X[B=5_X, D=6]\nW[D, F=7]\nb[F]\ns[B]\nt[]\nP[B_X, F] = X * W\nQ[B_X, F] = bias(P, b)\n"
      "R[B_X, F] = scale(Q, s)\nS[B_X, F] = scale(R, t)\nT[B_X, F] = add(S, P)\nU[B_X, F] = mul(T, T)\n"
      "V[F, B_X] = convert(U)\nA[F, B] = relu(V)\nC[F, B] = add(A, A)\nG[F_X] = C * C\n"
      "grad G(dG) -> dX, dW, db, ds, dt\n",
      Mesh{{"X", 2}}, true);
}

TEST(Gradients, OfALoopWithSharedWeightsAndTwoCarriedArrays) {
  const Mesh mesh{{"X", 2}};
  const std::string given =
      "X[B=4_X, D=3]\nZ[B, D]\nW[L=3, D, E=5_X]\nV[E_X, D]\nrepeat L as l {\n  H = relu(X * W[l])\n  T = H * V\n";
  expect_right(
      given + "  Z[B_X, D] = add(Z, X)\n  X = add(X, T) like X\n}\nY = mul(X, Z)\ngrad Y(dY) -> dX, dZ, dW, dV\n", mesh,
      true);
  // Z is carried too, but no gradient comes to it after the last pass.
  expect_right(given + "  X = add(T, Z) like X\n  Z[B, D] = relu(T)\n}\ngrad X(dY) -> dX, dZ, dV\n", mesh, true);
}

TEST(Gradients, KeepToTheMemoryLimitByComputingAgain) {
  const Mesh mesh{{"X", 2}};
  const std::string text =
      "bf16 X[B=512, D=64]\nW1[L=8, D, F=256]\nW2[L, F, D]\nrepeat L as l {\n  H = gelu(X * W1[l])\n"
      "  X = H * W2[l] like X\n}\ngrad X(dY) -> dX, dW1, dW2\n";
  const Program program = parse_program(text, mesh);
  const ProgramPlan roomy = plan(program, mesh, testing::toy_hardware());
  const auto is_recomputed = [](const ProgramPlan& plan, const std::string& name) {
    for (const Activation& activation : plan.best.activations)
      if (activation.name == name) return activation.is_recomputed;
    return false;
  };
  EXPECT_FALSE(is_recomputed(roomy, "preH"));
  PlanOptions options;
  options.memory_bytes = roomy.best.peak_bytes * 3 / 4;
  const ProgramPlan narrow = plan(program, mesh, testing::toy_hardware(), options);
  EXPECT_TRUE(is_recomputed(narrow, "preH"));
  EXPECT_LE(narrow.best.peak_bytes, *options.memory_bytes);
  EXPECT_GT(narrow.best.seconds_sequential, roomy.best.seconds_sequential);
}

/// Products and functions in any order, with shardings written or not.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed) : random_(seed) {}

  Mesh mesh() {
    mesh_ = Mesh{{"X", 2 + below(3)}};
    return mesh_;
  }

  std::string text() {
    const auto size = [&] { return std::to_string(1 + below(6)); };
    const std::string layers = "L=" + std::to_string(1 + below(3)) + ", ";
    std::string text = "X" + dims({"B=" + size(), "D=" + size()}) + "\nU[" + layers + inner({"D", "F=" + size()}) +
                       "\nV[L, " + inner({"D", "F"}) + "\nW[L, " + inner({"F", "D"}) + "\nA" +
                       dims({"D", "E=" + size()}) + "\nb" + dims({"D"}) + "\nrepeat L as l {\n";
    text += "  G" + dims({"B", "F"}) + " = relu(X * U[l])\n  H" + dims({"B", "F"}) + " = X * V[l]\n";
    text += below(2) == 0 ? "  G = mul(G, H)\n" : "  G = add(G, H)\n";
    text += "  Z" + dims({"B", "D"}) + " = G * W[l]\n";
    const std::int64_t end = below(3);
    text += end == 0   ? "  X = bias(Z, b) like X\n"
            : end == 1 ? "  N = bias(Z, b)\n  X" + dims({"B", "D"}) + " = add(N, X)\n"
                       : "  N = bias(Z, b)\n  X" + dims({"B", "D"}) + " = relu(N)\n";
    text += "}\nY" + dims({"B", "E"}) + " = X * A\n";
    if (below(2) == 0) text += "Y" + dims({"B", "E"}) + " = relu(Y)\n";
    std::vector<std::string> wanted;
    for (const char* name : {"dX", "dU", "dV", "dW", "dA", "db"})
      if (below(3) != 0) wanted.emplace_back(name);
    if (wanted.empty()) wanted.emplace_back("dX");
    return text + fmt::format("grad Y(dY) -> {}\n", fmt::join(wanted, ", "));
  }

 private:
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }

  /// Each mesh axis cuts some dimension, or none.
  std::string inner(std::vector<std::string> dims) {
    std::vector<std::string> axes(dims.size());
    for (const MeshAxis& axis : mesh_.axes())
      if (const auto dim = static_cast<std::size_t>(below(static_cast<std::int64_t>(dims.size()) + 1));
          dim < dims.size())
        axes[dim] += axis.name;
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (!axes[d].empty()) dims[d] += "_" + axes[d];
    return fmt::format("{}]", fmt::join(dims, ", "));
  }
  std::string dims(std::vector<std::string> dims) { return "[" + inner(std::move(dims)); }

  std::mt19937_64 random_;
  Mesh mesh_;
};

TEST(Gradients, OfRandomProgramsAreExact) {
  for (std::uint64_t seed = 0; seed < 40 / MESHMUL_RANDOM_CASE_DIVISOR; ++seed) {
    RandomProgram random(seed);
    const Mesh mesh = random.mesh();
    expect_right(random.text(), mesh, true, seed);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

}  // namespace
}  // namespace meshmul
