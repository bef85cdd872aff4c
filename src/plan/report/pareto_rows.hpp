#pragma once
// What a table of plans that trade time for memory says, for text and Markdown alike.

#include <string>
#include <vector>

#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"
#include "plan/report/table.hpp"

namespace meshmul {

/// The statement that all plans of `front` do. An open array that they do not all cut alike stays open.
Statement common_statement(const std::vector<Plan>& front);

/// The names of the columns, for a front of this statement.
Row pareto_head(const Statement& common);
/// One for each plan; the arrays of a plan are those that are open in `common`.
std::vector<Row> pareto_rows(const std::vector<Plan>& front, const Statement& common);

Row pareto_head_of_program();
std::vector<Row> pareto_rows(const std::vector<ProgramPlan>& front);

/// Where the plans were made, as `setting_sentence`; without slice and map where these differ.
std::string pareto_setting(const std::vector<Plan>& front);
std::string pareto_setting(const std::vector<ProgramPlan>& front);

/// How many plans there are, and what they have in common.
std::string pareto_sentence(std::size_t num_plans);

}  // namespace meshmul
