#include "plan/report/pareto_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/amounts.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/open_arrays.hpp"
#include "plan/report/setting.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

Row price_cells(double seconds_sequential, double seconds_overlapped, std::int64_t peak_bytes) {
  return {format_seconds(seconds_sequential), format_seconds(seconds_overlapped),
          format_amount(static_cast<double>(peak_bytes), "B")};
}

Row price_head() { return {"without overlap", "at best with", "a device"}; }

std::vector<ArrayType*> arrays_of(Statement& statement) {
  std::vector<ArrayType*> arrays = inputs(statement);
  arrays.push_back(&output(statement));
  return arrays;
}

template <class AnyPlan>
std::string common_setting(const std::vector<AnyPlan>& front) {
  const AnyPlan& first = front.front();
  for (const AnyPlan& plan : front)
    if (plan.slice != first.slice || !(plan.mapping == first.mapping))
      return setting_sentence({first.mesh, first.hardware, first.cost, {}, {}});
  return setting_sentence(setting_of(first));
}

}  // namespace

Statement common_statement(const std::vector<Plan>& front) {
  Statement common = front.front().statement;
  const std::vector<ArrayType*> arrays = arrays_of(common);
  for (const Plan& plan : front)
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      if (arrays_of(plan.statement)[i]->sharding == arrays[i]->sharding) continue;
      arrays[i]->sharding = Sharding::replicated(arrays[i]->num_dims());
      arrays[i]->open = true;
    }
  return common;
}

Row pareto_head(const Statement& common) {
  Row head = price_head();
  if (has_open_array(common)) head.push_back("arrays");
  head.push_back("steps");
  return head;
}

std::vector<Row> pareto_rows(const std::vector<Plan>& front, const Statement& common) {
  std::vector<Row> rows;
  for (const Plan& plan : front) {
    Row row = price_cells(plan.seconds_sequential, plan.seconds_overlapped, plan.peak_bytes);
    if (has_open_array(common)) row.push_back(open_arrays_in_short(plan.statement, common, plan.mesh));
    row.push_back(step_labels(plan.steps, plan.mesh));
    rows.push_back(std::move(row));
  }
  return rows;
}

Row pareto_head_of_program() {
  Row head = price_head();
  head.insert(head.end(), {"strategy", "moves"});
  return head;
}

std::vector<Row> pareto_rows(const std::vector<ProgramPlan>& front) {
  std::vector<Row> rows;
  for (const ProgramPlan& plan : front) {
    const PlannedProgram& best = plan.best;
    Row row = price_cells(best.seconds_sequential, best.seconds_overlapped, best.peak_bytes);
    row.push_back(best.strategy ? std::string(name(*best.strategy)) : "");
    const std::string moves = moves_in_short(best, plan.mesh);
    row.push_back(moves.empty() ? "none" : moves);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string pareto_setting(const std::vector<Plan>& front) { return common_setting(front); }
std::string pareto_setting(const std::vector<ProgramPlan>& front) { return common_setting(front); }

std::string pareto_sentence(std::size_t num_plans) {
  if (num_plans == 1) return "one plan: the fastest takes no more memory than any other";
  return fmt::format("{} plans that no other beats in both time and memory", num_plans);
}

}  // namespace meshmul
