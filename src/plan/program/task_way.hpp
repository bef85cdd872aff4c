#pragma once
// The best way to do one task between given shardings of its arrays, and its steps.

#include <array>
#include <optional>
#include <vector>

#include "plan/program/task_table.hpp"

namespace meshmul {

/// The work, and the chain of moves of each array: numbers in the tables of its options.
struct TaskWay {
  TimeKey time;
  double made_bytes = 0;  ///< of every array and scratch that the way makes
  int num_moves = 0;
  const LocalWork* work = nullptr;  ///< null in a change of sharding
  TaskOptions options{};
  std::array<int, 2> source_paths{};
  int result_path = 0;
};

/// The fastest that makes at most `most_bytes`; ties: less memory, fewer moves, then the order of layouts. Nothing if
/// there is none.
std::optional<TaskWay> best_way(const Task& task, const TaskWays& ways, const TaskOptions& options,
                                const SearchTerms& terms, double most_bytes);

/// Types are those of the program, with the shardings that the steps give them. A change that moves nothing is a slice
/// without axes, a copy, or nothing at all between passes.
std::vector<ProgramStep> steps_of(const Task& task, const TaskWays& ways, const TaskWay& way, const Program& closed,
                                  const AxisNumbering& axes);

}  // namespace meshmul
