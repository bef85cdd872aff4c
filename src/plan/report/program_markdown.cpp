// The plan of a program as a document: the program with all shardings, the steps of each statement, and what lost.
#include <fmt/format.h>

#include "base/amounts.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/markdown.hpp"
#include "plan/report/part_text.hpp"
#include "plan/report/program_facts.hpp"
#include "plan/report/setting.hpp"

namespace meshmul {
namespace {

std::string loser_table(const ProgramPlan& plan) {
  std::vector<Row> rows;
  for (const RejectedProgram& loser : plan.rejected)
    rows.push_back({std::string(name(*loser.way.strategy)), format_seconds(loser.seconds),
                    format_amount(static_cast<double>(loser.way.peak_bytes), "B"),
                    markdown_code(shardings_in_short(loser.way.program, plan.mesh)), loser.reason});
  return markdown_table({"strategy", "time", "memory", "shardings", "why it lost"}, rows);
}

}  // namespace

std::string plan_markdown(const ProgramPlan& plan) {
  const PlannedProgram& best = plan.best;
  std::string text = fmt::format("# Plan\n\n```\n{}```\n\n{}\n\n{}", to_string(best.program, plan.mesh),
                                 setting_sentence(setting_of(plan)), markdown_list(total_sentences(plan)));
  for (const PlannedPart& part : best.parts)
    if (!part.steps.empty())
      text += fmt::format("\n## {}\n\n{}", markdown_code(part_title(part, best.program)),
                          markdown_steps(part_rows(part, best.program, plan.mesh)));
  if (const std::vector<std::string> cases = case_sentences(best); !cases.empty())
    text += fmt::format("\n## Mesh axes\n\n{}", markdown_list(cases));
  if (!plan.rejected.empty()) text += fmt::format("\n## Rejected\n\n{}", loser_table(plan));
  return text;
}

}  // namespace meshmul
