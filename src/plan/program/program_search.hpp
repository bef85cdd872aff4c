#pragma once
// The search over the shardings of all arrays of a program: task by task, keeping for every joint choice that still
// matters the prices that nothing beats.

#include <limits>
#include <vector>

#include "plan/program/task_table.hpp"

namespace meshmul {

/// One sharding for every array, and what the program costs with it.
struct Assignment {
  std::vector<int> options;  ///< by choice
  TimeKey time;
  double peak_bytes = 0;
};

/// Everything that searches with different terms have in common.
struct PreparedProgram {
  const ProgramSetting& setting;
  std::vector<Task> tasks;
  std::vector<TaskWays> ways;
  Relevance relevance;

  explicit PreparedProgram(const ProgramSetting& s);
};

/// The assignments whose peak is not above `memory_limit` that nothing beats: by time for kFastest, by memory for
/// kSmallest; the best first. Empty if there is none. Throws kUnsupported if more than `terms.most_entries` would be kept.
std::vector<Assignment> search_program(const PreparedProgram& prepared, const SearchTerms& terms,
                                       double memory_limit = std::numeric_limits<double>::infinity());

}  // namespace meshmul
