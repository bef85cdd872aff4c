// The plan as a table for people.
#include <fmt/format.h>

#include "plan/report/loser_rows.hpp"
#include "plan/report/plan_facts.hpp"
#include "plan/report/setting.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {

std::string to_string(const Plan& plan) {
  std::string text =
      fmt::format("{}\n{}\n\n", to_string(plan.statement, plan.mesh), setting_sentence(setting_of(plan)));
  std::vector<Row> rows;
  for (const Step& step : plan.steps) rows.push_back(step_row(step, plan.mesh));
  text += text_table(rows) + "\n";
  for (const std::string& sentence : total_sentences(plan)) text += sentence + "\n";
  for (const std::string& sentence : plan.cases) text += sentence + "\n";
  if (plan.rejected.empty()) return text;
  text += "\nrejected:\n";
  return text + text_table(loser_rows(plan));
}

}  // namespace meshmul
