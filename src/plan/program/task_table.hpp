#pragma once
// What the ways to do one task cost, by the shardings of its arrays. Choices that matter to this task alone are made
// here.

#include <array>
#include <cstdint>
#include <vector>

#include "plan/program/fronts.hpp"
#include "plan/program/relevance.hpp"
#include "plan/program/strategy.hpp"
#include "plan/program/task_ways.hpp"

namespace meshmul {

/// Options of the arrays of a task: its first and its second source, and the result.
using TaskOptions = std::array<std::uint16_t, 3>;

/// The price of one way, done once.
struct TaskRow {
  TimeKey time;
  /// Of given arrays whose choice begins with this task; of those and of outputs that are complete after it, as far as
  /// their choice is local; of given arrays again and everything that the way makes, its result included.
  std::array<double, 3> bytes{};
  TaskOptions options{};

  double given_bytes() const { return bytes[0]; }
  double lasting_bytes() const { return bytes[1]; }
  double moment_bytes() const { return bytes[2]; }
};

/// Which ways a search looks at, and how it compares them.
struct SearchTerms {
  Aim aim = Aim::kFastest;
  StrategyRules rules;
  const std::vector<bool>& is_weight;  ///< by value
  bool overlapped = false;
  std::int64_t most_entries = 8'000'000;  ///< that a search keeps; about 1 GB
};

/// Rows by the options of `choices`, those of the arrays of the task that are not local, each once.
struct TaskTable {
  std::vector<int> choices;
  std::vector<std::size_t> strides;  ///< by place in `choices`
  std::vector<std::vector<TaskRow>> rows;
};

/// Of task number `number`.
TaskTable table_of(int number, const Task& task, const TaskWays& ways, const ProgramSetting& setting,
                   const Relevance& relevance, const SearchTerms& terms);

}  // namespace meshmul
