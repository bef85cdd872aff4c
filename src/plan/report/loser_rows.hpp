#pragma once
// The plans that lost, as rows of a table.

#include <vector>

#include "meshmul/plan.hpp"
#include "plan/report/table.hpp"

namespace meshmul {

/// Time, memory, steps and reason of each. Losers that have all of them in common, since they differ in shardings on the
/// way alone, are one row that says how many there are.
std::vector<Row> loser_rows(const Plan& plan);

}  // namespace meshmul
