#pragma once
// From one sharding for every array to the steps of every task.

#include "plan/program/program_search.hpp"

namespace meshmul {

/// Takes the best way of each task that keeps to the peak of `assignment`, which search_program found with `terms`.
PlannedProgram written_out(const PreparedProgram& prepared, const Assignment& assignment, const SearchTerms& terms);

}  // namespace meshmul
