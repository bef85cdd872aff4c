#pragma once
// Plans of one move each, and the cases that every collective is tested on: one to three axes, one or two dimensions at
// once, even and uneven blocks, empty shards.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::testing {

/// A plan that does `statement`, a change of sharding, in one move.
inline Plan one_move(MoveKind kind, std::string_view statement, std::string_view mesh) {
  Plan plan;
  plan.mesh = parse_mesh(mesh);
  plan.statement = parse_statement(statement, plan.mesh);
  Move move;
  move.kind = kind;
  move.from = *inputs(plan.statement).front();
  move.to = output(plan.statement);
  plan.steps = {move};
  return plan;
}

struct MoveCase {
  MoveKind kind;
  std::string statement;
  std::string mesh;

  Plan plan() const { return one_move(kind, statement, mesh); }
  std::string str() const { return statement + " on " + mesh; }
};

struct MovePattern {
  std::string_view statement;  ///< {} is the size of I
  std::string_view mesh;       ///< {} is the size of X
};

/// Every pattern with X of 1 to 6 (of 2 and 3 if the mesh has more axes), and an even, an uneven and a short I.
inline std::vector<MoveCase> cases_of(MoveKind kind, const std::vector<MovePattern>& patterns) {
  const std::vector<std::pair<int, std::string_view>> sizes = {{12, "f32"}, {7, "bf16"}, {2, "i32"}};
  std::vector<MoveCase> cases;
  for (const auto& [statement, mesh] : patterns) {
    const bool one_axis = mesh.find(',') == std::string_view::npos;
    for (int x = one_axis ? 1 : 2; x <= (one_axis ? 6 : 3); ++x)
      for (const auto& [size, dtype] : sizes)
        cases.push_back({kind, fmt::format("{} {}", dtype, fmt::format(fmt::runtime(statement), size)),
                         fmt::format(fmt::runtime(mesh), x)});
  }
  return cases;
}

/// Larger meshes of two and three axes, for rings along all of them at once. Sizes divide by none of them, or are small.
inline std::vector<MoveCase> on_large_meshes(MoveKind kind, std::string_view in_two, std::string_view in_three) {
  std::vector<MoveCase> cases;
  const auto add = [&](std::string_view statement, std::string_view mesh, int size) {
    cases.push_back({kind, fmt::format(fmt::runtime(statement), size), std::string(mesh)});
  };
  add(in_two, "X=4,Y=4", 37);
  add(in_two, "X=3,Y=4", 9);
  add(in_two, "X=4,Y=2", 37);
  add(in_two, "X=1,Y=4", 9);
  add(in_three, "X=2,Y=2,Z=2", 37);
  add(in_three, "X=2,Y=2,Z=2", 5);
  add(in_three, "X=2,Y=3,Z=2", 37);
  return cases;
}

inline std::vector<MoveCase> all_gather_cases() {
  return cases_of(MoveKind::kAllGather, {{"A[I={}_X, J=3] -> A[I, J]", "X={}"},
                                         {"A[J=3, I={}_X] -> A[J, I]", "X={}"},
                                         {"A[I={}_XY, J=3] -> A[I, J]", "X={},Y=2"},
                                         {"A[I={}_XY, J=3] -> A[I_X, J]", "X={},Y=3"},
                                         {"A[I={}_X, J=5_Y] -> A[I, J]", "X={},Y=2"},
                                         {"A[I={}_X, J=5_Y] -> A[I_X, J]", "X={},Y=2"},
                                         {"A[I={}_X, J=5] -> A[I, J]", "X={},Y=2"},
                                         {"A[I={}_X, J=5]{{U_Y}} -> A[I, J]{{U_Y}}", "X={},Y=2"},
                                         {"A[I={}_XZ, J=4_Y] -> A[I, J]", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> reduce_scatter_cases() {
  return cases_of(MoveKind::kReduceScatter, {{"A[I={}, J=3]{{U_X}} -> A[I_X, J]", "X={}"},
                                             {"A[J=3, I={}]{{U_X}} -> A[J, I_X]", "X={}"},
                                             {"A[I={}_Y, J=3]{{U_X}} -> A[I_YX, J]", "X={},Y=2"},
                                             {"A[I={}, J=5]{{U_XY}} -> A[I_X, J_Y]", "X={},Y=2"},
                                             {"A[I={}, J=5]{{U_XY}} -> A[I_XY, J]", "X={},Y=2"},
                                             {"A[I={}, J=5]{{U_XY}} -> A[I_Y, J]{{U_X}}", "X={},Y=2"},
                                             {"A[I={}, J=5]{{U_XY}} -> A[I_Y, J]", "X={},Y=2"},
                                             {"A[I={}, J=5]{{U_X}} -> A[J, I_X]", "X={}"},
                                             {"A[I={}, J=4_Y]{{U_XZ}} -> A[I_XZ, J_Y]", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> all_reduce_cases() {
  return cases_of(MoveKind::kAllReduce, {{"A[I={}, J=3]{{U_X}} -> A[I, J]", "X={}"},
                                         {"A[I={}_Y, J=3]{{U_X}} -> A[I_Y, J]", "X={},Y=2"},
                                         {"A[I={}, J=3]{{U_XY}} -> A[I, J]", "X={},Y=2"},
                                         {"A[I={}, J=3]{{U_XY}} -> A[I, J]{{U_X}}", "X={},Y=2"},
                                         {"A[I={}, J=3, K=2]{{U_X}} -> A[K, I, J]", "X={}"},
                                         {"A[I={}]{{U_XYZ}} -> A[I]", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> all_to_all_cases() {
  return cases_of(MoveKind::kAllToAll, {{"A[I={}_X, J=5] -> A[I, J_X]", "X={}"},
                                        {"A[J=5, I={}_X] -> A[J_X, I]", "X={}"},
                                        {"A[I={}_YX, J=5] -> A[I_Y, J_X]", "X={},Y=2"},
                                        {"A[I={}_XY, J=5] -> A[I, J_XY]", "X={},Y=2"},
                                        {"A[I={}_X, J=5_Y, K=4] -> A[I, J, K_YX]", "X={},Y=2"},
                                        {"A[I={}_XY, J=3, K=4] -> A[I, J_X, K_Y]", "X={},Y=2"},
                                        {"A[I={}_X, J=5]{{U_Z}} -> A[I, J_X]{{U_Z}}", "X={},Z=2"},
                                        {"A[I={}_XZ, J=4, K=3_Y] -> A[I, J_XZ, K_Y]", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> permute_cases() {
  return cases_of(MoveKind::kPermute, {{"A[I={}_XY, J=5] -> A[I_YX, J]", "X={},Y=2"},
                                       {"A[I={}_X, J=5_Y] -> A[I_Y, J_X]", "X={},Y=2"},
                                       {"A[I={}_X, J=5_Y]{{U_Z}} -> A[I_Y, J_X]{{U_Z}}", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> redistribute_cases() {
  return cases_of(MoveKind::kRedistribute, {{"A[I={}_X, J=5] -> A[J_X, I]", "X={}"},
                                            {"A[I={}_X, J=5] -> A[J, I_X]", "X={}"},
                                            {"A[I={}_X, J=5_Y, K=2] -> A[K_Y, I_X, J]", "X={},Y=2"},
                                            {"A[I={}_YX, J=5] -> A[I_X, J]", "X={},Y=2"},
                                            {"A[I={}_XY, J=5] -> A[I, J_X]", "X={},Y=2"},
                                            {"A[I={}_Z, J=5_Y] -> A[I_XYZ, J]", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> slice_cases() {
  return cases_of(MoveKind::kSlice, {{"A[I={}, J=5] -> A[I_X, J]", "X={}"},
                                     {"A[I={}_Y, J=5] -> A[I_YX, J]", "X={},Y=2"},
                                     {"A[I={}, J=5]{{U_Z}} -> A[I_X, J_Y]{{U_Z}}", "X={},Y=2,Z=2"}});
}

inline std::vector<MoveCase> unreduce_cases() {
  return cases_of(MoveKind::kUnreduce, {{"A[I={}, J=5] -> A[I, J]{{U_X}}", "X={}"},
                                        {"A[I={}, J=5] -> A[J, I]{{U_X}}", "X={}"},
                                        {"A[I={}_Y, J=5] -> A[I_Y, J]{{U_X}}", "X={},Y=2"},
                                        {"A[I={}]{{U_Y}} -> A[I]{{U_XY}}", "X={},Y=2"}});
}

}  // namespace meshmul::testing
