#pragma once
// From which task to which each choice of a program matters: its arrays are read, made or kept.

#include <vector>

#include "plan/program/choices.hpp"
#include "plan/program/tasks.hpp"

namespace meshmul {

class Relevance {
 public:
  Relevance(const Program& program, const Choices& choices, const std::vector<Task>& tasks);

  bool begins(int choice, int task) const { return at(choice).first == task; }
  bool ends(int choice, int task) const { return at(choice).last == task; }
  /// Matters both up to `task` and after it.
  bool crosses(int choice, int task) const { return at(choice).first <= task && task < at(choice).last; }
  /// Matters to no other task.
  bool is_local(int choice, int task) const { return begins(choice, task) && ends(choice, task); }
  /// Matters to no task at all.
  bool is_idle(int choice) const { return at(choice).last == kNone; }
  /// Of the given arrays that it settles.
  double given_bytes(int choice, int option) const { return at(choice).given_bytes[static_cast<std::size_t>(option)]; }

 private:
  static constexpr int kNone = -1;
  struct Span {
    int first = kNone, last = kNone;
    std::vector<double> given_bytes;  // by option
  };
  const Span& at(int choice) const { return spans_[static_cast<std::size_t>(choice)]; }

  std::vector<Span> spans_;  // by choice
};

}  // namespace meshmul
