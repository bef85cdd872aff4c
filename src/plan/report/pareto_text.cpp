// Plans that trade time for memory as tables for people, and as a document.
#include <fmt/format.h>

#include <algorithm>

#include "base/amounts.hpp"
#include "meshmul/pareto.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/markdown.hpp"
#include "plan/report/pareto_rows.hpp"

namespace meshmul {
namespace {

std::string table_with_head(Row head, std::vector<Row> rows) {
  rows.insert(rows.begin(), std::move(head));
  return text_table(rows);
}

}  // namespace

std::string pareto_text(const std::vector<Plan>& front) {
  const Plan& first = front.front();
  const Statement common = common_statement(front);
  return fmt::format("{}\n{}\n{}\n\n{}", to_string(common, first.mesh), pareto_setting(front),
                     pareto_sentence(front.size()), table_with_head(pareto_head(common), pareto_rows(front, common)));
}

std::string pareto_text(const std::vector<ProgramPlan>& front) {
  const ProgramPlan& first = front.front();
  std::string text = fmt::format("{}\n{}", pareto_setting(front), pareto_sentence(front.size()));
  if (first.memory_limit)
    text += fmt::format("; the limit is {}", format_amount(static_cast<double>(*first.memory_limit), "B"));
  text += "\n\n";
  // Under each row the shardings of the arrays.
  const std::string table = table_with_head(pareto_head_of_program(), pareto_rows(front));
  std::size_t begin = table.find('\n') + 1;
  text += table.substr(0, begin);
  for (const ProgramPlan& plan : front) {
    const std::size_t end = table.find('\n', begin) + 1;
    text += table.substr(begin, end - begin);
    text += fmt::format("    {}\n", shardings_in_short(plan.best.program, plan.mesh));
    begin = end;
  }
  return text;
}

std::string pareto_markdown(const std::vector<Plan>& front) {
  const Plan& first = front.front();
  const Statement common = common_statement(front);
  std::vector<Row> rows = pareto_rows(front, common);
  const Row head = pareto_head(common);
  const auto arrays = static_cast<std::size_t>(std::find(head.begin(), head.end(), "arrays") - head.begin());
  if (arrays < head.size())
    for (Row& row : rows) row[arrays] = markdown_code(row[arrays]);
  return fmt::format("# Plans\n\n{}\n\n{}; {}\n\n{}", markdown_code(to_string(common, first.mesh)),
                     pareto_setting(front), pareto_sentence(front.size()), markdown_table(head, rows));
}

std::string pareto_markdown(const std::vector<ProgramPlan>& front) {
  std::vector<Row> rows = pareto_rows(front);
  for (std::size_t i = 0; i < front.size(); ++i)
    rows[i].push_back(markdown_code(shardings_in_short(front[i].best.program, front[i].mesh)));
  Row head = pareto_head_of_program();
  head.push_back("arrays");
  return fmt::format("# Plans\n\n{}; {}\n\n{}", pareto_setting(front), pareto_sentence(front.size()),
                     markdown_table(head, rows));
}

}  // namespace meshmul
