// The plan as a table for people.
#include <fmt/format.h>

#include <algorithm>

#include "base/amounts.hpp"
#include "notation/print.hpp"
#include "plan/explain.hpp"

namespace meshmul {
namespace {

using Row = std::vector<std::string>;

std::string change(const Step& step, const Mesh& mesh) {
  if (const auto* product = std::get_if<LocalProduct>(&step))
    return fmt::format("{} * {} -> {}", notation::short_text(product->a, mesh), notation::short_text(product->b, mesh),
                       notation::short_text(product->c, mesh));
  const Move& move = std::get<Move>(step);
  return fmt::format("{} -> {}", notation::short_text(move.from, mesh), notation::short_text(move.to, mesh));
}

Row row(const Step& step, const Mesh& mesh) {
  const StepCost& cost = std::visit([](const auto& s) -> const StepCost& { return s.cost; }, step);
  const bool is_move = std::holds_alternative<Move>(step);
  return {step_label(step, mesh),
          change(step, mesh),
          is_move ? format_amount(cost.bytes, "B") : format_amount(cost.flops, "FLOP"),
          is_move && cost.hops > 0 ? fmt::format("{:g} {}", cost.hops, cost.hops == 1 ? "hop" : "hops") : "",
          cost.bound == Bound::kNone ? "free" : std::string(name(cost.bound)),
          format_seconds(cost.seconds)};
}

/// Columns as wide as their widest cell, two spaces apart; no spaces at the end of a line.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size(), 0);
  for (const Row& cells : rows)
    for (std::size_t column = 0; column < widths.size(); ++column)
      widths[column] = std::max(widths[column], cells[column].size());
  std::string text;
  for (const Row& cells : rows) {
    std::string line;
    for (std::size_t column = 0; column < widths.size(); ++column)
      line += fmt::format("  {:{}}", cells[column], widths[column]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string steps_in_short(const std::vector<Step>& steps, const Mesh& mesh) {
  std::string text;
  for (const Step& step : steps) text += (text.empty() ? "" : ", ") + step_label(step, mesh);
  return text;
}

}  // namespace

std::string to_string(const Plan& plan) {
  std::string text = fmt::format("{}\nmesh {}, hardware {}\n\n", to_string(plan.statement, plan.mesh),
                                 plan.mesh.num_axes() == 0 ? "of one device" : plan.mesh.str(), plan.hardware);
  std::vector<Row> rows;
  for (const Step& step : plan.steps) rows.push_back(row(step, plan.mesh));
  text += table(rows);
  text +=
      fmt::format("\n{} without overlap, at best {} with; {} a device\n", format_seconds(plan.seconds_sequential),
                  format_seconds(plan.seconds_overlapped), format_amount(static_cast<double>(plan.peak_bytes), "B"));
  for (const std::string& sentence : plan.cases) text += sentence + "\n";
  if (plan.rejected.empty()) return text;
  text += "\nrejected:\n";
  std::vector<Row> losers;
  for (const RejectedPlan& loser : plan.rejected)
    losers.push_back({format_seconds(loser.seconds), format_amount(static_cast<double>(loser.peak_bytes), "B"),
                      steps_in_short(loser.steps, plan.mesh), loser.reason});
  return text + table(losers);
}

}  // namespace meshmul
