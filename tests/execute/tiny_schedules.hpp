#pragma once
// What the builders make of the smallest changes of sharding and products: few enough events that all orders can be
// tried.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meshmul/collectives.hpp"
#include "meshmul/lower.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul::testing {

/// A[I_X, J] * B[J_X, K] -> C[I_X, K] by gathering B.
inline Plan gather_then_multiply(const std::string& statement, const std::string& mesh) {
  Plan plan;
  plan.mesh = parse_mesh(mesh);
  plan.statement = parse_statement(statement, plan.mesh);
  const Product& product = std::get<Product>(plan.statement);
  Move gather{MoveKind::kAllGather, Operand::kB, product.b, product.b, {0}, {}};
  gather.to.sharding = Sharding::replicated(gather.to.num_dims());
  plan.steps = {gather, LocalProduct{product.a, gather.to, product.c, {}}};
  return plan;
}

/// A[I, J_X] * B[J_X, K] -> C[I_X, K] by multiplying what lies there, and adding up afterwards.
inline Plan multiply_then_scatter(const std::string& statement, const std::string& mesh) {
  Plan plan;
  plan.mesh = parse_mesh(mesh);
  plan.statement = parse_statement(statement, plan.mesh);
  const Product& product = std::get<Product>(plan.statement);
  Move scatter{MoveKind::kReduceScatter, Operand::kC, product.c, product.c, {0}, {}};
  scatter.from.sharding = Sharding::replicated(scatter.from.num_dims());
  scatter.from.sharding.unreduced = {0};
  plan.steps = {LocalProduct{product.a, product.b, scatter.from, {}}, scatter};
  return plan;
}

/// The smallest move of a kind over `ranks` devices, with one element or row a device: a new kind has to say its own. Four
/// devices are also two axes of two.
inline std::vector<Plan> tiny_moves(MoveKind kind, int ranks) {
  std::vector<Plan> plans;
  const auto add = [&](std::string_view statement, const std::string& mesh) {
    plans.push_back(one_move(kind, fmt::format(fmt::runtime(statement), ranks), mesh));
  };
  const std::string line = fmt::format("X={}", ranks);
  const auto add_on_both = [&](std::string_view on_line, std::string_view on_square) {
    add(on_line, line);
    if (ranks == 4) add(on_square, "X=2,Y=2");
  };
  switch (kind) {
    case MoveKind::kSlice: add("f32 A[I={}] -> A[I_X]", line); break;
    case MoveKind::kAllGather: add_on_both("f32 A[I={}_X] -> A[I]", "f32 A[I={}_XY] -> A[I]"); break;
    case MoveKind::kReduceScatter: add_on_both("f32 A[I={}]{{U_X}} -> A[I_X]", "f32 A[I={}]{{U_XY}} -> A[I_XY]"); break;
    case MoveKind::kAllReduce: add_on_both("f32 A[I={}]{{U_X}} -> A[I]", "f32 A[I={}]{{U_XY}} -> A[I]"); break;
    case MoveKind::kAllToAll: add("f32 A[I={0}_X, J={0}] -> A[I, J_X]", line); break;
    case MoveKind::kPermute: add("f32 A[I={}_XY] -> A[I_YX]", ranks == 4 ? "X=2,Y=2" : line + ",Y=1"); break;
    case MoveKind::kRedistribute: add("f32 A[I={0}_X, J={0}] -> A[J_X, I]", line); break;
    case MoveKind::kUnreduce: add("f32 A[I={}] -> A[I]{{U_X}}", line); break;
  }
  return plans;
}

/// Every move, and two products, over `ranks` devices.
inline std::vector<Plan> tiny_plans(int ranks) {
  const std::string mesh = fmt::format("X={}", ranks);
  const auto with_size = [&](std::string_view text) { return fmt::format(fmt::runtime(text), ranks); };
  std::vector<Plan> plans;
  for (const MoveKind kind : move_kinds())
    for (Plan& plan : tiny_moves(kind, ranks)) plans.push_back(std::move(plan));
  plans.push_back(gather_then_multiply(with_size("f32 A[I={0}_X, J={0}] * B[J={0}_X, K=1] -> C[I_X, K]"), mesh));
  plans.push_back(multiply_then_scatter(with_size("f32 A[I={0}, J={0}_X] * B[J={0}_X, K=1] -> C[I_X, K]"), mesh));
  return plans;
}

/// What every builder of the library makes over `ranks` devices: move_kinds() by algorithms(), products, exchanges(). What
/// two algorithms build alike is there once.
inline std::vector<Schedule> tiny_schedules(int ranks) {
  std::vector<Schedule> schedules;
  const auto add = [&](Schedule schedule) {
    if (std::ranges::find(schedules, schedule) == schedules.end()) schedules.push_back(std::move(schedule));
  };
  for (const Algorithm algorithm : algorithms())
    for (const Plan& plan : tiny_plans(ranks)) add(lower(plan, {algorithm}));
  const Mesh mesh{{"X", ranks}};
  for (const Exchange exchange : exchanges())
    add(build_exchange(exchange, parse_array(fmt::format("f32 A[I={}_X]", ranks), mesh), mesh, 0));
  return schedules;
}

}  // namespace meshmul::testing
