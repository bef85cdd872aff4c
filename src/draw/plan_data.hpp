#pragma once
// What the page says of a plan: sentences, tables, and the arrays before and after each step.

#include <string>
#include <vector>

#include "draw/array_data.hpp"
#include "meshmul/draw.hpp"

namespace meshmul::drawing {

struct Table {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// One picture: what there is before, and what after.
struct PictureStep {
  std::string title;
  std::vector<std::int64_t> before, after;  ///< numbers of an ArrayTable
};

struct PlanData {
  std::string title;  ///< the statement or program
  std::vector<std::string> sentences;
  std::vector<Table> tables;
  std::vector<PictureStep> steps;
};

PlanData plan_data(const Plan& plan, ArrayTable& arrays);
PlanData plan_data(const ProgramPlan& plan, ArrayTable& arrays);
/// Of a schedule without a plan: the statements that it claims to do.
PlanData contract_data(const Contract& contract, ArrayTable& arrays);

}  // namespace meshmul::drawing
