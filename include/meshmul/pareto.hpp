#pragma once
// What time costs in memory: all plans between the fastest and the smallest.

#include <string>
#include <vector>

#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"

namespace meshmul {

/// All plans that fit into memory of which no other is better in both time and peak bytes, over all ways to lay the mesh
/// on the hardware: the fastest first, each with a smaller peak than the one before, the one that takes least memory
/// last. `plan` with the peak of one of them as its limit finds the same time. Of plans with the same time and peak one
/// stands for all; times that differ by rounding alone are the same. `options.overlapped` says which time counts;
/// `options.max_rejected` does not: the plans have no losers. Never empty: throws as `plan` does.
std::vector<Plan> pareto_front(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                               const PlanOptions& options = {});
std::vector<ProgramPlan> pareto_front(const Program& program, const Mesh& mesh, const Hardware& hardware,
                                      const PlanOptions& options = {});

/// As a table for people: a line for each plan with both times, its peak, and its steps in short; where the plans cut
/// open arrays differently, how. Of a program its strategy, its moves and the shardings of given arrays and outputs.
/// `front` is not empty, here and below; the order of its plans is kept.
std::string pareto_text(const std::vector<Plan>& front);
std::string pareto_text(const std::vector<ProgramPlan>& front);

/// The same facts as a document in Markdown.
std::string pareto_markdown(const std::vector<Plan>& front);
std::string pareto_markdown(const std::vector<ProgramPlan>& front);

/// As JSON, `{"plans": [...]}`: each as `plan_json` writes it.
std::string pareto_json(const std::vector<Plan>& front);
std::string pareto_json(const std::vector<ProgramPlan>& front);

}  // namespace meshmul
