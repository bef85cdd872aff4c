// Random statements through the whole flow, on every backend, against a plain einsum, exactly.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "meshmul/layout.hpp"
#include "meshmul/verify.hpp"
#include "support/random_statement.hpp"
#include "support/run_schedule.hpp"

namespace meshmul::testing {
namespace {

constexpr int kAllCases = 2000;  // their mix is checked, also where only a part of them is run
constexpr int kCases = kAllCases / MESHMUL_RANDOM_CASE_DIVISOR;
constexpr int kBatches = 8;
constexpr std::uint64_t kSeed = 20260101;

MeshStatement statement_number(int number) {
  std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(number));
  return random_statement(random);
}

/// The algorithm and the capabilities of a case follow from its number, so that a shrunk case keeps them.
LowerOptions lower_options(int number) {
  constexpr Algorithm kAlgorithms[] = {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays};
  return {kAlgorithms[number % 3]};
}
Capabilities capabilities(int number) {
  if (number % 4 != 0) return {};
  return {(number & 4) != 0, (number & 8) != 0, (number & 16) != 0, (number & 32) != 0};
}

/// These arrays are so small that latency decides nearly every plan, and then the same few moves win. On three quarters of
/// the cases it is left out, so that bytes decide as they do for large arrays.
Hardware hardware(int number) {
  Hardware cpu = find_hardware("cpu");
  if (number % 4 != 1) cpu.network.hop_seconds = 1e-12;
  return cpu;
}

/// What is wrong with a case on a backend, in words; empty if nothing is.
std::string failure_of(const MeshStatement& s, int number, const Executor& executor) {
  const std::string text = to_string(s.statement, s.mesh);
  if (parse_statement(text, s.mesh) != s.statement) return "the text does not parse back: " + text;
  try {
    const Plan chosen = plan(s.statement, s.mesh, hardware(number));
    const Schedule schedule = legalize(lower(chosen, lower_options(number)), capabilities(number));
    for (const Finding& finding : verify(schedule)) return to_string(finding, schedule);
    if (parse_schedule(to_string(schedule)) != schedule) return "the schedule does not parse back";
    ExecuteOptions options;
    options.kernels = MESHMUL_TEST_KERNELS;
    options.poison = true;
    options.seed = static_cast<std::uint64_t>(number);
    const std::unique_ptr<Session> session = executor.open(schedule, options);
    return run_and_compare(*session, schedule, static_cast<std::uint64_t>(number));
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// The smallest statement found that still fails.
MeshStatement shrunk(MeshStatement s, const std::function<bool(const MeshStatement&)>& fails) {
  for (bool progress = true; progress;) {
    progress = false;
    for (const MeshStatement& candidate : smaller(s))
      if (fails(candidate)) {
        s = candidate;
        progress = true;
        break;
      }
  }
  return s;
}

void check_cases(int begin, int end, std::string_view backend) {
  const Executor* executor = find_executor(backend);
  ASSERT_NE(executor, nullptr) << backend;
  for (int number = begin; number < end; ++number) {
    const MeshStatement s = statement_number(number);
    const std::string failure = failure_of(s, number, *executor);
    if (failure.empty()) continue;
    const MeshStatement least =
        shrunk(s, [&](const MeshStatement& candidate) { return !failure_of(candidate, number, *executor).empty(); });
    FAIL() << "case " << number << " (seed " << kSeed + static_cast<std::uint64_t>(number) << ") on " << backend
           << ":\n  " << to_string(s.statement, s.mesh) << "\n  on mesh " << s.mesh.str() << "\n"
           << failure << "\nshrunk to\n  " << to_string(least.statement, least.mesh) << "\n  on mesh "
           << least.mesh.str() << "\n"
           << failure_of(least, number, *executor);
  }
}

class EndToEnd : public ::testing::TestWithParam<int> {};

TEST_P(EndToEnd, EveryStatementIsExactOnReference) {
  check_cases(GetParam() * kCases / kBatches, (GetParam() + 1) * kCases / kBatches, "reference");
}
TEST_P(EndToEnd, EveryStatementIsExactOnThreads) {
  check_cases(GetParam() * kCases / kBatches, (GetParam() + 1) * kCases / kBatches, "threads");
}
TEST_P(EndToEnd, EveryStatementIsExactOnProcesses) {
  const int cases = kCases / 10;
  check_cases(GetParam() * cases / kBatches, (GetParam() + 1) * cases / kBatches, "processes");
}
INSTANTIATE_TEST_SUITE_P(Batch, EndToEnd, ::testing::Range(0, kBatches));

/// Which of the four cases of a product an axis makes.
std::set<int> cases_of(const Product& product) {
  const IndexRoles roles = index_roles(product);
  const auto axes_of = [](const ArrayType& type, const std::vector<std::string>& indices) {
    std::map<int, std::string> axes;
    for (std::size_t d = 0; d < type.dims.size(); ++d)
      for (const std::string& index : indices)
        if (type.dims[d].index == index)
          for (const int axis : type.sharding.dims[d]) axes[axis] = index;
    return axes;
  };
  const auto contracted_a = axes_of(product.a, roles.contracted);
  const auto contracted_b = axes_of(product.b, roles.contracted);
  std::set<int> cases;
  if (contracted_a.empty() && contracted_b.empty()) cases.insert(1);
  for (const auto& [axis, index] : contracted_a)
    cases.insert(contracted_b.contains(axis) && contracted_b.at(axis) == index ? 3 : 2);
  for (const auto& [axis, index] : contracted_b)
    if (!contracted_a.contains(axis)) cases.insert(2);
  const auto right = axes_of(product.b, roles.right);
  for (const auto& [axis, index] : axes_of(product.a, roles.left))
    if (right.contains(axis)) cases.insert(4);
  return cases;
}

/// Properties of a statement whose share of the mix matters.
std::set<std::string> traits_of(const MeshStatement& s, const Hardware& hardware) {
  std::set<std::string> traits;
  if (s.mesh.num_axes() >= 2) traits.insert("two or more axes");
  std::vector<const ArrayType*> arrays = inputs(s.statement);
  arrays.push_back(&output(s.statement));
  for (const ArrayType* type : arrays)
    for (int rank = 0; rank < s.mesh.num_devices(); ++rank) {
      if (local_box(*type, s.mesh, rank).empty()) traits.insert("an empty shard");
      if (local_shape(*type, s.mesh, rank) != max_local_shape(*type, s.mesh)) traits.insert("uneven");
    }
  traits.insert(std::string(name(arrays[0]->dtype)));
  for (const ArrayType* input : inputs(s.statement))
    if (!input->sharding.unreduced.empty()) traits.insert("U on an input");
  if (!output(s.statement).sharding.unreduced.empty()) traits.insert("U on the output");
  if (const auto* product = std::get_if<Product>(&s.statement))
    for (const int number : cases_of(*product)) traits.insert(fmt::format("case {}", number));
  for (const Step& step : plan(s.statement, s.mesh, hardware).steps)
    if (const auto* move = std::get_if<Move>(&step)) traits.insert(std::string(name(move->kind)));
  return traits;
}

TEST(EndToEndMix, HasEveryCaseMoveAndDtype) {
  std::map<std::string, int> count;
  for (int number = 0; number < kAllCases; ++number)
    for (const std::string& trait : traits_of(statement_number(number), hardware(number))) ++count[trait];
  std::string mix;
  for (const auto& [trait, hits] : count) mix += fmt::format("{}: {:.1f} %\n", trait, 100.0 * hits / kAllCases);
  SCOPED_TRACE(mix);
  EXPECT_GE(count["two or more axes"], kAllCases * 50 / 100);
  EXPECT_GE(count["uneven"], kAllCases * 30 / 100);
  EXPECT_GE(count["an empty shard"], kAllCases * 10 / 100);
  std::vector<std::string> at_least_five{"case 1", "case 2", "case 3", "case 4", "U on an input", "U on the output"};
  for (const Dtype dtype : kAllDtypes) at_least_five.emplace_back(name(dtype));
  for (const MoveKind kind : {MoveKind::kSlice, MoveKind::kAllGather, MoveKind::kReduceScatter, MoveKind::kAllReduce,
                              MoveKind::kAllToAll, MoveKind::kPermute, MoveKind::kRedistribute, MoveKind::kUnreduce})
    at_least_five.emplace_back(name(kind));
  for (const std::string& trait : at_least_five) EXPECT_GE(count[trait], kAllCases * 5 / 100) << trait;
}

}  // namespace
}  // namespace meshmul::testing
