#include "plan/program/tasks.hpp"

#include <algorithm>

namespace meshmul {
namespace {

/// A value takes memory of its own from task `first` to task `last`, besides what task `made` itself takes for it.
struct Stay {
  ValueId value = 0;
  std::size_t first = 0, made = 0, last = 0;
};

class TaskList {
 public:
  explicit TaskList(const Program& program) : stay_of_(program.values.size()) {
    for (std::size_t item = 0; item < program.items.size(); ++item) {
      if (const auto* statement = std::get_if<ProgramStatement>(&program.items[item]))
        add_statement(*statement, static_cast<int>(item), std::nullopt, 1);
      else
        add_loop(std::get<Repeat>(program.items[item]), static_cast<int>(item));
    }
    for (const ValueId output : outputs(program)) {
      tasks_[stay(output).made].finished.push_back(output);
      stay(output).last = stay(output).made;  // from then on it stays anyway
    }
    for (const Stay& stay : stays_)
      if (!lies_in_stack(stay.value))
        for (std::size_t t = stay.first; t <= stay.last; ++t) tasks_[t].kept.push_back(stay.value);
  }

  std::vector<Task> take() { return std::move(tasks_); }

 private:
  void add(Task task) {
    for (const Use& use : task.sources) keep_until(use.value, tasks_.size());
    add_stay({task.result, tasks_.size() + 1, tasks_.size(), tasks_.size()});
    tasks_.push_back(std::move(task));
  }

  void add_statement(const ProgramStatement& statement, int item, std::optional<int> index, std::int64_t times) {
    add({PartKind::kStatement, item, index, times, &statement, uses(statement), results(statement).front(), {}, {}});
  }

  void add_loop(const Repeat& loop, int item) {
    const std::size_t num_stays_outside = stays_.size();
    const std::size_t first = tasks_.size();
    for (int i = 0; const Carry& carry : loop.carries)
      add({PartKind::kEnterLoop, item, i++, 1, nullptr, {{carry.before, false}}, carry.begin, {}, {}});
    const std::size_t first_of_body = tasks_.size();
    for (int i = 0; const ProgramStatement& statement : loop.body) add_statement(statement, item, i++, loop.count);
    for (int i = 0; const Carry& carry : loop.carries)
      if (loop.count > 1)
        add({PartKind::kNextPass, item, i++, loop.count - 1, nullptr, {{carry.end, false}}, carry.begin, {}, {}});

    const std::size_t last = tasks_.size() - 1;
    if (loop.count > 1) {
      // What a pass reads from outside, the next pass reads again.
      for (std::size_t i = 0; i < num_stays_outside; ++i)
        if (stays_[i].last >= first_of_body) stays_[i].last = last;
    } else {
      for (const Carry& carry : loop.carries) keep_until(carry.end, last);
    }
    for (const Carry& carry : loop.carries) add_stay({carry.after, last + 1, last, last});
    for (const Stack& stack : loop.stacks) {
      add_stay({stack.whole, first, last, last});
      stacked_.push_back(stack.slice);
    }
  }

  void add_stay(Stay stay) {
    stay_of_[static_cast<std::size_t>(stay.value)] = stays_.size();
    stays_.push_back(stay);
  }

  bool lies_in_stack(ValueId value) const {
    return std::find(stacked_.begin(), stacked_.end(), value) != stacked_.end();
  }

  /// The last one of `value`, which was made.
  Stay& stay(ValueId value) { return stays_[*stay_of_[static_cast<std::size_t>(value)]]; }

  void keep_until(ValueId value, std::size_t task) {
    if (stay_of_[static_cast<std::size_t>(value)]) stay(value).last = std::max(stay(value).last, task);
  }

  std::vector<Task> tasks_;
  std::vector<Stay> stays_;
  std::vector<std::optional<std::size_t>> stay_of_;  // by value: the last one; none of a given array
  std::vector<ValueId> stacked_;                     // slices
};

const Carry& carry_of(const PlannedPart& part, const Program& program) {
  const auto& repeat = std::get<Repeat>(program.items[static_cast<std::size_t>(part.item)]);
  return repeat.carries[static_cast<std::size_t>(*part.index)];
}

}  // namespace

std::vector<Task> tasks_of(const Program& program) { return TaskList(program).take(); }

const ProgramStatement* statement_of(const PlannedPart& part, const Program& program) {
  const ProgramItem& item = program.items[static_cast<std::size_t>(part.item)];
  if (const auto* statement = std::get_if<ProgramStatement>(&item)) return statement;
  if (part.kind != PartKind::kStatement) return nullptr;
  return &std::get<Repeat>(item).body[static_cast<std::size_t>(*part.index)];
}

std::vector<Use> sources_of(const PlannedPart& part, const Program& program) {
  if (const ProgramStatement* statement = statement_of(part, program)) return uses(*statement);
  const Carry& carry = carry_of(part, program);
  return {{part.kind == PartKind::kEnterLoop ? carry.before : carry.end, false}};
}

ValueId result_of(const PlannedPart& part, const Program& program) {
  if (const ProgramStatement* statement = statement_of(part, program)) return results(*statement).front();
  return carry_of(part, program).begin;
}

}  // namespace meshmul
