#pragma once
// The least time that the rest of a program can take, once some of its shardings are settled.

#include <cstddef>
#include <vector>

#include "plan/program/relevance.hpp"
#include "plan/program/task_table.hpp"

namespace meshmul {

/// Tasks are put together from the last to the first, and each choice is made as soon as no earlier task sees it, by itself for some of
/// them where tables of all would be too large: no time of the whole is below what comes of that. Mini-bucket elimination
/// (Dechter and Rish, Journal of the ACM 50, 2003), as a bound for a search (A*, Hart, Nilsson and Raphael, 1968).
class Outlook {
 public:
  /// `tables` are those of all tasks.
  Outlook(const std::vector<Task>& tasks, const std::vector<TaskTable>& tables, const Relevance& relevance,
          const Choices& choices);

  /// Seconds of all tasks after number `task`, at least; infinite if there is no way. Counts the options, by choice, of what matters
  /// up to `task` and after it.
  double seconds_after(int task, const std::vector<int>& options) const;

 private:
  /// Seconds by the options of some choices.
  struct Seconds {
    std::vector<int> choices;
    std::vector<std::size_t> strides;
    std::vector<double> values;

    bool depends_on(int choice) const;
    double at(const std::vector<int>& options) const;
  };

  static Seconds of_task(const TaskTable& table, double times);
  static Seconds least(const std::vector<Seconds>& terms, int choice, const Choices& choices);
  static std::vector<Seconds> without(int choice, std::vector<Seconds> terms, const Choices& choices);

  std::vector<std::vector<Seconds>> after_;  // by task: terms of a sum
};

}  // namespace meshmul
