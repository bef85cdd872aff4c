// The plan of a program as tables for people.
#include <fmt/format.h>

#include "base/amounts.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/part_text.hpp"
#include "plan/report/program_facts.hpp"
#include "plan/report/setting.hpp"

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

}  // namespace

std::string to_string(const ProgramPlan& plan) {
  std::string text = fmt::format("{}{}\n\n{}\n", to_string(plan.best.program, plan.mesh),
                                 setting_sentence(setting_of(plan)), parts_text(plan.best, plan.mesh));
  for (const std::string& sentence : total_sentences(plan)) text += sentence + "\n";
  for (const std::string& sentence : case_sentences(plan.best)) text += sentence + "\n";
  if (plan.rejected.empty()) return text;
  return text + "\nrejected:\n" + losers_text(plan);
}

}  // namespace meshmul
