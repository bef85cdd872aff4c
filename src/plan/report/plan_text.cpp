// The plan as a table for people.
#include <fmt/format.h>

#include "base/amounts.hpp"
#include "plan/report/step_text.hpp"
#include "plan/report/table.hpp"

namespace meshmul {
std::string to_string(const Plan& plan) {
  std::string text = fmt::format("{}\nmesh {}, hardware {}\n\n", to_string(plan.statement, plan.mesh),
                                 plan.mesh.num_axes() == 0 ? "of one device" : plan.mesh.str(), plan.hardware);
  std::vector<Row> rows;
  for (const Step& step : plan.steps) rows.push_back(step_row(step, plan.mesh));
  text += text_table(rows);
  text +=
      fmt::format("\n{} without overlap, at best {} with; {} a device\n", format_seconds(plan.seconds_sequential),
                  format_seconds(plan.seconds_overlapped), format_amount(static_cast<double>(plan.peak_bytes), "B"));
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
