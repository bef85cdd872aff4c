#include "plan/program/memory_outlook.hpp"

#include <algorithm>
#include <limits>

namespace meshmul {
namespace {

double least_given_bytes(int choice, const Relevance& relevance, const Choices& choices) {
  double least = relevance.given_bytes(choice, 0);
  for (int option = 1; option < choices.num_options(choice); ++option)
    least = std::min(least, relevance.given_bytes(choice, option));
  return least;
}

/// Bytes that a task makes, at least.
double least_made(const TaskTable& table) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<TaskRow>& rows : table.rows)
    for (const TaskRow& row : rows) least = std::min(least, row.moment_bytes() - row.given_bytes());
  return least;
}

}  // namespace

MemoryOutlook::MemoryOutlook(const std::vector<Task>& tasks, const std::vector<TaskTable>& tables,
                             const Relevance& relevance, const Choices& choices)
    : choices_(choices), after_(tasks.size()) {
  double given_later = 0;
  for (std::size_t task = tasks.size(); task-- > 0;) {
    const int number = static_cast<int>(task);
    double finished = 0;
    for (std::size_t later = task + 1; later < tasks.size(); ++later) {
      Moment moment;
      moment.other_bytes = given_later + finished + least_made(tables[later]);
      for (const ValueId value : tasks[later].kept) {
        if (relevance.crosses(choices.of(value), number))
          moment.kept.push_back(value);
        else
          moment.other_bytes += choices.least_bytes(value);
      }
      for (const ValueId value : tasks[later].finished) finished += choices.least_bytes(value);
      std::ranges::sort(moment.kept);
      const auto same = std::ranges::find(after_[task], moment.kept, &Moment::kept);
      if (same == after_[task].end())
        after_[task].push_back(std::move(moment));
      else
        same->other_bytes = std::max(same->other_bytes, moment.other_bytes);
    }
    for (int choice = 0; choice < choices.num_choices(); ++choice)
      if (relevance.begins(choice, number)) given_later += least_given_bytes(choice, relevance, choices);
  }
}

double MemoryOutlook::bytes_after(int task, const std::vector<int>& options) const {
  double most = 0;
  for (const Moment& moment : after_[static_cast<std::size_t>(task)]) {
    double bytes = moment.other_bytes;
    for (const ValueId value : moment.kept)
      bytes += choices_.bytes(value, options[static_cast<std::size_t>(choices_.of(value))]);
    most = std::max(most, bytes);
  }
  return most;
}

}  // namespace meshmul
