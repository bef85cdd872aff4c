// The plan as a table for people.
#include <fmt/format.h>

#include "base/amounts.hpp"
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
  std::vector<Row> losers;
  for (const RejectedPlan& loser : plan.rejected)
    losers.push_back({format_seconds(loser.seconds), format_amount(static_cast<double>(loser.peak_bytes), "B"),
                      step_labels(loser.steps, plan.mesh), loser.reason});
  return text + text_table(losers);
}

}  // namespace meshmul
