#pragma once
// The least memory that the rest of a program needs, once some of its shardings are settled.

#include <cstddef>
#include <vector>

#include "plan/program/relevance.hpp"
#include "plan/program/task_table.hpp"

namespace meshmul {

/// Every later task has in memory what is kept for it and what it makes, and all given arrays and finished outputs are there in the end.
/// What is settled counts as it lies, everything else as in the option that takes least.
class MemoryOutlook {
 public:
  /// `tables` are those of all tasks.
  MemoryOutlook(const std::vector<Task>& tasks, const std::vector<TaskTable>& tables, const Relevance& relevance,
                const Choices& choices);

  /// Bytes that the peak is at least above those of given arrays and finished outputs that there are after number `task`; infinite if
  /// a later task has no way. Counts the options, by choice, of what matters up to `task` and after it.
  double bytes_after(int task, const std::vector<int>& options) const;

 private:
  /// Of later tasks for which the same of what is settled is kept.
  struct Moment {
    std::vector<ValueId> kept;
    double other_bytes = 0;
  };

  const Choices& choices_;
  std::vector<std::vector<Moment>> after_;  // by task
};

}  // namespace meshmul
