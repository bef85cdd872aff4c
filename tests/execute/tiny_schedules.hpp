#pragma once
// What the builders make of the smallest changes of sharding and products: few enough events that all orders can be
// tried.

#include <string>
#include <string_view>
#include <vector>

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

/// Every collective, and two products, over one mesh axis of `ranks` devices with one element or row a device.
inline std::vector<Plan> tiny_plans(int ranks) {
  const std::string mesh = fmt::format("X={}", ranks);
  const auto with_size = [&](std::string_view text) { return fmt::format(fmt::runtime(text), ranks); };
  return {one_move(MoveKind::kAllGather, with_size("f32 A[I={}_X] -> A[I]"), mesh),
          one_move(MoveKind::kReduceScatter, with_size("f32 A[I={}]{{U_X}} -> A[I_X]"), mesh),
          one_move(MoveKind::kAllReduce, with_size("f32 A[I={}]{{U_X}} -> A[I]"), mesh),
          one_move(MoveKind::kAllToAll, with_size("f32 A[I={0}_X, J={0}] -> A[I, J_X]"), mesh),
          gather_then_multiply(with_size("f32 A[I={0}_X, J={0}] * B[J={0}_X, K=1] -> C[I_X, K]"), mesh),
          multiply_then_scatter(with_size("f32 A[I={0}, J={0}_X] * B[J={0}_X, K=1] -> C[I_X, K]"), mesh)};
}

}  // namespace meshmul::testing
