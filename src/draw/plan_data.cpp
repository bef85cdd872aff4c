#include "draw/plan_data.hpp"

#include <fmt/format.h>

#include "base/amounts.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/loser_rows.hpp"
#include "plan/report/part_text.hpp"
#include "plan/report/plan_facts.hpp"
#include "plan/report/program_facts.hpp"
#include "plan/report/setting.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul::drawing {
namespace {

const std::vector<std::string> kStepHead{"step", "types", "bytes or FLOPs", "hops", "bound", "time", "made of"};

struct StepArrays {
  std::string title;
  ArrayTable& arrays;

  PictureStep operator()(const Move& move) const {
    return {title, {arrays.number_of(move.from)}, {arrays.number_of(move.to)}};
  }
  PictureStep operator()(const LocalProduct& product) const {
    return {title, {arrays.number_of(product.a), arrays.number_of(product.b)}, {arrays.number_of(product.c)}};
  }
  PictureStep operator()(const LocalMap& map) const {
    PictureStep step{title, {}, {arrays.number_of(map.result)}};
    for (const ArrayType& source : map.sources) step.before.push_back(arrays.number_of(source));
    return step;
  }
};

Table rejected_programs(const ProgramPlan& plan) {
  Table table{"Rejected strategies", {"strategy", "time", "memory", "shardings", "why it lost"}, {}};
  for (const RejectedProgram& loser : plan.rejected)
    table.rows.push_back({std::string(name(*loser.way.strategy)), format_seconds(loser.seconds),
                          format_amount(static_cast<double>(loser.way.peak_bytes), "B"),
                          shardings_in_short(loser.way.program, plan.mesh), loser.reason});
  return table;
}

Table axis_table(const std::vector<std::string>& cases) {
  Table table{"Mesh axes", {"what each mesh axis does"}, {}};
  for (const std::string& sentence : cases) table.rows.push_back({sentence});
  return table;
}

void append(std::vector<Table>& tables, Table table) {
  if (!table.rows.empty()) tables.push_back(std::move(table));
}

template <class AnyPlan>
std::vector<std::string> sentences_of(const AnyPlan& plan) {
  std::vector<std::string> sentences{setting_sentence(setting_of(plan))};
  for (std::string& sentence : total_sentences(plan)) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace

PlanData plan_data(const Plan& plan, ArrayTable& arrays) {
  PlanData data{to_string(plan.statement, plan.mesh), sentences_of(plan), {}, {}};
  Table steps{"Steps", kStepHead, {}};
  for (const Step& step : plan.steps) {
    steps.rows.push_back(step_row(step, plan.mesh));
    data.steps.push_back(std::visit(StepArrays{step_label(step, plan.mesh), arrays}, step));
  }
  append(data.tables, std::move(steps));
  append(data.tables, axis_table(plan.cases));
  append(data.tables, {"Rejected plans", {"time", "memory", "steps", "why it lost"}, loser_rows(plan)});
  return data;
}

PlanData plan_data(const ProgramPlan& plan, ArrayTable& arrays) {
  const PlannedProgram& best = plan.best;
  PlanData data{to_string(best.program, plan.mesh), sentences_of(plan), {}, {}};
  for (const PlannedPart& part : best.parts) {
    const std::string title = part_title(part, best.program);
    Table steps{title, kStepHead, part_rows(part, best.program, plan.mesh)};
    for (std::size_t i = 0; i < part.steps.size(); ++i)
      data.steps.push_back(
          std::visit(StepArrays{fmt::format("{}: {}", title, steps.rows[i][0]), arrays}, part.steps[i]));
    append(data.tables, std::move(steps));
  }
  append(data.tables, axis_table(case_sentences(best)));
  append(data.tables, rejected_programs(plan));
  return data;
}

PlanData contract_data(const Contract& contract, ArrayTable& arrays) {
  PlanData data;
  for (const ContractStatement& statement : contract.statements) {
    const std::string text = to_string(statement, contract.mesh);
    data.title += (data.title.empty() ? "" : "\n") + text;
    PictureStep step{text, {}, {arrays.number_of(output(statement))}};
    for (const ArrayType* input : inputs(statement)) step.before.push_back(arrays.number_of(*input));
    data.steps.push_back(std::move(step));
  }
  return data;
}

}  // namespace meshmul::drawing
