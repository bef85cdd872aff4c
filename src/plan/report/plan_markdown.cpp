// The plan as a document: the statement, its steps, the case of each axis, and what lost.
#include <fmt/format.h>

#include "base/amounts.hpp"
#include "plan/report/plan_facts.hpp"
#include "plan/report/step_text.hpp"
#include "plan/report/table.hpp"

namespace meshmul {
namespace {

std::string list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("- {}\n", item);
  return text;
}

std::string code(const std::string& text) { return fmt::format("`{}`", text); }

std::string step_table(const Plan& plan) {
  std::vector<Row> rows;
  for (const Step& step : plan.steps) {
    Row row = step_row(step, plan.mesh);
    row[1] = code(row[1]);
    rows.push_back(std::move(row));
  }
  return markdown_table({"step", "types", "bytes or FLOPs", "hops", "bound", "time", "made of"}, rows);
}

std::string loser_table(const Plan& plan) {
  std::vector<Row> rows;
  for (const RejectedPlan& loser : plan.rejected)
    rows.push_back({format_seconds(loser.seconds), format_amount(static_cast<double>(loser.peak_bytes), "B"),
                    step_labels(loser.steps, plan.mesh), loser.reason});
  return markdown_table({"time", "memory", "steps", "why it lost"}, rows);
}

}  // namespace

std::string plan_markdown(const Plan& plan) {
  std::string text =
      fmt::format("# Plan\n\n{}\n\n{}\n\n## Steps\n\n{}\n{}", code(to_string(plan.statement, plan.mesh)),
                  setting_sentence(plan.mesh, plan.hardware), step_table(plan), list(total_sentences(plan)));
  if (!plan.cases.empty()) text += fmt::format("\n## Mesh axes\n\n{}", list(plan.cases));
  if (!plan.rejected.empty()) text += fmt::format("\n## Rejected\n\n{}", loser_table(plan));
  return text;
}

}  // namespace meshmul
