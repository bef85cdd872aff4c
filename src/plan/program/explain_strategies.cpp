#include "plan/program/explain_strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/amounts.hpp"
#include "notation/print.hpp"

namespace meshmul {
namespace {

/// `W_in`, `W_in and W_out`, `W1, W2 and W3`.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// Moves of one kind along the same axes, over the whole program.
struct MoveGroup {
  std::string label;                ///< `AllGather_XY`
  std::vector<std::string> arrays;  ///< each once
  double seconds = 0;
};

std::vector<MoveGroup> move_groups(const PlannedProgram& planned, const Mesh& mesh) {
  std::vector<MoveGroup> groups;
  for (const PlannedPart& part : planned.parts)
    for (const ProgramStep& step : part.steps) {
      const auto* move = std::get_if<Move>(&step);
      if (move == nullptr || move->axes.empty()) continue;
      const std::string label = fmt::format("{}_{}", name(move->kind), notation::axes_text(move->axes, mesh));
      auto group = std::find_if(groups.begin(), groups.end(), [&](const MoveGroup& g) { return g.label == label; });
      if (group == groups.end()) group = groups.insert(groups.end(), MoveGroup{label, {}, 0});
      if (std::find(group->arrays.begin(), group->arrays.end(), move->from.name) == group->arrays.end())
        group->arrays.push_back(move->from.name);
      group->seconds += move->cost.seconds * static_cast<double>(part.times);
    }
  return groups;
}

/// The group that costs most beyond what the same costs the winner; null if none does.
std::optional<MoveGroup> dearest_extra(const PlannedProgram& winner, const PlannedProgram& loser, const Mesh& mesh) {
  std::map<std::string, double> seconds_of_winner;
  for (const MoveGroup& group : move_groups(winner, mesh)) seconds_of_winner[group.label] = group.seconds;
  std::optional<MoveGroup> dearest;
  for (MoveGroup& group : move_groups(loser, mesh)) {
    group.seconds -= seconds_of_winner[group.label];
    if (group.seconds > (dearest ? dearest->seconds : 0)) dearest = group;
  }
  return dearest;
}

/// Sums over the whole program, on one device.
struct Totals {
  double move_seconds = 0;
  double work_seconds = 0;
  double flops = 0;
};

Totals totals(const PlannedProgram& planned) {
  Totals totals;
  for (const PlannedPart& part : planned.parts)
    for (const ProgramStep& step : part.steps) {
      const StepCost& cost = std::visit([](const auto& s) -> const StepCost& { return s.cost; }, step);
      const auto times = static_cast<double>(part.times);
      (std::holds_alternative<Move>(step) ? totals.move_seconds : totals.work_seconds) += times * cost.seconds;
      totals.flops += times * cost.flops;
    }
  return totals;
}

std::string time_reason(const PlannedProgram& winner, const PlannedProgram& loser, bool overlapped, const Mesh& mesh) {
  const double extra_seconds = overlapped ? loser.seconds_overlapped - winner.seconds_overlapped
                                          : loser.seconds_sequential - winner.seconds_sequential;
  const double extra_bytes = loser.sent_bytes - winner.sent_bytes;
  const std::string slower =
      extra_seconds > 0   ? fmt::format("{} slower{}", format_seconds(extra_seconds), overlapped ? " with overlap" : "")
      : extra_seconds < 0 ? fmt::format("{} faster", format_seconds(-extra_seconds))
                          : "as fast";
  const Totals won = totals(winner);
  const Totals lost = totals(loser);
  if (extra_seconds > 0 && lost.work_seconds - won.work_seconds > lost.move_seconds - won.move_seconds) {
    if (lost.flops > won.flops)
      return fmt::format("products: {} times the FLOPs, {}", format_number(lost.flops / won.flops), slower);
    return fmt::format("products: {} times the time, bound by memory, {}",
                       format_number(lost.work_seconds / won.work_seconds), slower);
  }
  std::string text;
  if (const auto extra = extra_seconds < 0 ? std::nullopt : dearest_extra(winner, loser, mesh))
    text = fmt::format("{} of {}: ", extra->label, joined(extra->arrays));
  if (extra_bytes > 0) text += fmt::format("{} more traffic, ", format_amount(extra_bytes, "B"));
  return text + slower;
}

}  // namespace

std::string shardings_in_short(const Program& closed, const Mesh& mesh) {
  std::vector<ValueId> values = inputs(closed);
  for (const ValueId output : outputs(closed)) values.push_back(output);
  std::string text;
  for (const ValueId value : values)
    text += (text.empty() ? "" : ", ") + notation::short_text(closed.value(value).type, mesh);
  return text;
}

std::string moves_in_short(const PlannedProgram& planned, const Mesh& mesh) {
  std::string text;
  for (const MoveGroup& group : move_groups(planned, mesh))
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", group.label, joined(group.arrays));
  return text;
}

std::string explain_loss(const PlannedProgram& winner, const PlannedProgram& loser,
                         std::optional<std::int64_t> memory_limit, bool overlapped, const Mesh& mesh) {
  const std::string time = time_reason(winner, loser, overlapped, mesh);
  if (!memory_limit || loser.peak_bytes <= *memory_limit) return time;
  return fmt::format("{}; needs {}, the limit is {}", time, format_amount(static_cast<double>(loser.peak_bytes), "B"),
                     format_amount(static_cast<double>(*memory_limit), "B"));
}

}  // namespace meshmul
