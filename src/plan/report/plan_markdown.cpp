// The plan as a document: the statement, its steps, the case of each axis, and what lost.
#include <fmt/format.h>

#include "plan/report/loser_rows.hpp"
#include "plan/report/markdown.hpp"
#include "plan/report/plan_facts.hpp"
#include "plan/report/setting.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

std::string step_table(const Plan& plan) {
  std::vector<Row> rows;
  for (const Step& step : plan.steps) rows.push_back(step_row(step, plan.mesh));
  return markdown_steps(std::move(rows));
}

std::string loser_table(const Plan& plan) {
  return markdown_table({"time", "memory", "steps", "why it lost"}, loser_rows(plan));
}

}  // namespace

std::string plan_markdown(const Plan& plan) {
  std::string text =
      fmt::format("# Plan\n\n{}\n\n{}\n\n## Steps\n\n{}\n{}", markdown_code(to_string(plan.statement, plan.mesh)),
                  setting_sentence(setting_of(plan)), step_table(plan), markdown_list(total_sentences(plan)));
  if (!plan.cases.empty()) text += fmt::format("\n## Mesh axes\n\n{}", markdown_list(plan.cases));
  if (!plan.rejected.empty()) text += fmt::format("\n## Rejected\n\n{}", loser_table(plan));
  return text;
}

}  // namespace meshmul
