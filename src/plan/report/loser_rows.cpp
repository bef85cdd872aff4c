#include "plan/report/loser_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/amounts.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {

std::vector<Row> loser_rows(const Plan& plan) {
  std::vector<Row> rows;
  std::vector<std::size_t> counts;
  for (const RejectedPlan& loser : plan.rejected) {
    Row row{format_seconds(loser.seconds), format_amount(static_cast<double>(loser.peak_bytes), "B"),
            step_labels(loser.steps, plan.mesh), loser.reason};
    const auto same = static_cast<std::size_t>(std::find(rows.begin(), rows.end(), row) - rows.begin());
    if (same == rows.size()) {
      rows.push_back(std::move(row));
      counts.push_back(0);
    }
    ++counts[same];
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (counts[i] > 1) rows[i][2] += fmt::format(" ({} ways)", counts[i]);
  return rows;
}

}  // namespace meshmul
