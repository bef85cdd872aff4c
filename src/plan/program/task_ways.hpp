#pragma once
// Every way to do one task between any shardings of its arrays: where the product or function can run, and the chains of
// moves that lead there and from there.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "plan/machine.hpp"
#include "plan/program/array_chains.hpp"
#include "plan/program/choices.hpp"
#include "plan/program/tasks.hpp"

namespace meshmul {

/// What planning a program is about.
struct ProgramSetting {
  const Program& program;
  const Choices& choices;
  const AxisNumbering& axes;
  const CostModel& cost;
  const Machine& machine;
  std::optional<Dtype> wire_dtype;
};

/// The states in which the arrays of a task lie while every device works on what it holds.
struct LocalWork {
  std::array<int, 2> sources{};
  int result = 0;
  StepCost cost;
  double result_bytes = 0;
};

/// Options are those of the choices of the arrays.
struct TaskWays {
  /// Up to two, from their options to the work.
  std::vector<std::unique_ptr<const ArrayChains>> sources;
  std::vector<LocalWork> works;
  std::unique_ptr<const ArrayChains> result;  ///< from the work, or from where the change starts, to its options
  std::vector<int> starts;                    ///< of a change: the state of each option of its source

  /// A change of sharding has no work and no sources: all its moves are those of the result.
  bool is_change() const { return works.empty(); }
};

/// Throws Error(kInvalidArgument) if a function that is not linear is to make partial sums.
TaskWays ways_of(const Task& task, const ProgramSetting& setting);

/// `convert` to the same dtype: it moves, and computes nothing.
bool is_change_of_sharding(const Task& task, const Program& program);

}  // namespace meshmul
