// The plan of a program as tables for people.
#include <fmt/format.h>

#include <algorithm>

#include "base/amounts.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/program/tasks.hpp"
#include "plan/report/part_text.hpp"
#include "plan/report/plan_facts.hpp"

namespace meshmul {
namespace {

std::string amount(std::int64_t bytes) { return format_amount(static_cast<double>(bytes), "B"); }

/// One table for all parts, so that columns line up, with the title of each part above its rows.
std::string parts_text(const PlannedProgram& planned, const Mesh& mesh) {
  std::vector<Row> rows;
  for (const PlannedPart& part : planned.parts)
    for (Row& row : part_rows(part, planned.program, mesh)) rows.push_back(std::move(row));
  const std::string table = text_table(rows);
  std::string text;
  std::size_t begin = 0;
  for (const PlannedPart& part : planned.parts) {
    if (part.steps.empty()) continue;
    text += part_title(part, planned.program) + "\n";
    for (std::size_t step = 0; step < part.steps.size(); ++step) {
      const std::size_t end = table.find('\n', begin) + 1;
      text += table.substr(begin, end - begin);
      begin = end;
    }
  }
  return text;
}

/// Under each row the shardings of the arrays.
std::string losers_text(const ProgramPlan& plan) {
  std::vector<Row> rows;
  for (const RejectedProgram& loser : plan.rejected)
    rows.push_back({std::string(name(*loser.way.strategy)), format_seconds(loser.seconds), amount(loser.way.peak_bytes),
                    loser.reason});
  std::string text = text_table(rows);
  std::size_t end = 0;
  for (const RejectedProgram& loser : plan.rejected) {
    const std::string line = fmt::format("    {}\n", shardings_in_short(loser.way.program, plan.mesh));
    end = text.find('\n', end) + 1;
    text.insert(end, line);
    end += line.size();
  }
  return text;
}

std::string cases_text(const PlannedProgram& planned) {
  std::string text;
  for (const PlannedPart& part : planned.parts)
    for (const std::string& sentence : part.cases)
      text += fmt::format("{}, {}\n", planned.program.value(result_of(part, planned.program)).type.name, sentence);
  return text;
}

}  // namespace

std::string to_string(const ProgramPlan& plan) {
  const PlannedProgram& best = plan.best;
  std::string text = fmt::format("{}{}\n\n{}\n", to_string(best.program, plan.mesh),
                                 setting_sentence(plan.mesh, plan.hardware), parts_text(best, plan.mesh));
  text += fmt::format("{}{} without overlap, at best {} with; {} a device{}\n",
                      best.strategy ? fmt::format("{}: ", name(*best.strategy)) : "",
                      format_seconds(best.seconds_sequential), format_seconds(best.seconds_overlapped),
                      amount(best.peak_bytes),
                      plan.memory_limit ? fmt::format(", the limit is {}", amount(*plan.memory_limit)) : "");
  if (const auto sentence = on_chip_fit(plan)) text += *sentence + "\n";
  text += cases_text(best);
  if (plan.rejected.empty()) return text;
  return text + "\nrejected:\n" + losers_text(plan);
}

}  // namespace meshmul
