// What must hold between the plans of related programs.
#include <algorithm>
#include <numeric>

#include "meshmul/program_plan.hpp"
#include "notation/random_statement.hpp"
#include "plan/toy_hardware.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_sized_statement;
using testing::check_property;
using testing::StatementCase;
using testing::toy_hardware;

bool about_equal(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(a, b); }

std::vector<Step> steps(const ProgramPlan& plan) {
  std::vector<Step> all;
  for (const PlannedPart& part : plan.best.parts)
    for (const ProgramStep& step : part.steps) {
      if (const auto* move = std::get_if<Move>(&step)) all.emplace_back(*move);
      if (const auto* product = std::get_if<LocalProduct>(&step)) all.emplace_back(*product);
    }
  return all;
}

bool same_arrays(const Step& a, const Step& b) {
  if (const auto* move = std::get_if<Move>(&a)) {
    const auto* other = std::get_if<Move>(&b);
    return other != nullptr && move->kind == other->kind && move->from == other->from && move->to == other->to;
  }
  const auto& product = std::get<LocalProduct>(a);
  const auto* other = std::get_if<LocalProduct>(&b);
  return other != nullptr && product.a == other->a && product.b == other->b && product.c == other->c;
}

TEST(ProgramInvariance, AProgramOfOneStatementIsPlannedLikeTheStatement) {
  check_property(200, [] {
    const StatementCase c = *any_sized_statement();
    const std::optional<Program> program = to_program(c.statement);
    RC_PRE(program.has_value());
    for (const NetworkKind kind : {NetworkKind::kTorus, NetworkKind::kSwitch}) {
      const Hardware hardware = toy_hardware(kind);
      const Plan single = plan(c.statement, c.mesh, hardware);
      const ProgramPlan whole = plan(*program, c.mesh, hardware);
      RC_ASSERT(whole.best.seconds_sequential == single.seconds_sequential);
      RC_ASSERT(whole.best.seconds_overlapped == single.seconds_overlapped);
      RC_ASSERT(whole.best.peak_bytes == single.peak_bytes);
      const std::vector<Step> taken = steps(whole);
      RC_ASSERT(std::equal(taken.begin(), taken.end(), single.steps.begin(), single.steps.end(), same_arrays));
    }
  });
}

constexpr const char* kProgram =
    "X[B=24, D=12]?\nV[L=2, D, F=20]?\nW[F, D]?\nb[D]\nrepeat L as l {\n  H = silu(X * V[l])\n  G = H * W\n"
    "  X = bias(G, b)\n}\nY = add(X, X2)\n";

Program program_over(const Mesh& mesh) { return parse_program(std::string("X2[B=24, D=12]\n") + kProgram, mesh); }

TEST(ProgramInvariance, OtherNamesAndAnotherOrderOfMeshAxesChangeNoCost) {
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  const Mesh other{{"b", 3}, {"a", 2}};
  for (const NetworkKind kind : {NetworkKind::kTorus, NetworkKind::kSwitch}) {
    const ProgramPlan a = plan(program_over(mesh), mesh, toy_hardware(kind));
    const ProgramPlan b = plan(program_over(other), other, toy_hardware(kind));
    EXPECT_TRUE(about_equal(a.best.seconds_sequential, b.best.seconds_sequential));
    EXPECT_EQ(a.best.peak_bytes, b.best.peak_bytes);
    ASSERT_EQ(a.rejected.size(), b.rejected.size());
    for (std::size_t i = 0; i < a.rejected.size(); ++i)
      EXPECT_TRUE(about_equal(a.rejected[i].seconds, b.rejected[i].seconds));
  }
}

TEST(ProgramInvariance, AnAxisOfSize1ChangesNothing) {
  const Mesh mesh{{"X", 2}, {"Y", 3}};
  const Mesh wider{{"X", 2}, {"one", 1}, {"Y", 3}};
  const ProgramPlan a = plan(program_over(mesh), mesh, toy_hardware());
  const ProgramPlan b = plan(program_over(wider), wider, toy_hardware());
  EXPECT_EQ(a.best.seconds_sequential, b.best.seconds_sequential);
  EXPECT_EQ(a.best.peak_bytes, b.best.peak_bytes);
  EXPECT_EQ(to_string(a.best.program, mesh), to_string(b.best.program, wider));
}

}  // namespace
}  // namespace meshmul
