#pragma once
// A program as a list of things to do in order, with loops laid out: how often each is done, and what has to be kept in
// memory meanwhile.

#include <vector>

#include "meshmul/program_plan.hpp"

namespace meshmul {

/// A statement, or the change of sharding of a carried array.
struct Task {
  PartKind kind = PartKind::kStatement;
  int item = 0;              ///< of the program
  std::optional<int> index;  ///< in a loop: the statement of its body, or the carry
  std::int64_t times = 1;

  const ProgramStatement* statement = nullptr;  ///< null for a carried array
  std::vector<Use> sources;
  ValueId result = 0;

  /// Made values, without the result, that are in memory at that time: what is read, and what is read later.
  std::vector<ValueId> kept;
  /// Outputs of the program that are complete after this task, and stay in memory.
  std::vector<ValueId> finished;
};

/// A loop is: its carried arrays go to where a pass begins; the statements of the body, `count` times; the carried arrays
/// go to the next pass, one time less. A carried array has a buffer of its own from the beginning of a pass to its last
/// use. What is stacked is kept from the first task of its loop on, and its slices take no other memory. Pointers go into
/// `program`, whose gradients are written out.
std::vector<Task> tasks_of(const Program& program);

/// The statement of `part`; null if it is a carried array.
const ProgramStatement* statement_of(const PlannedPart& part, const Program& program);
/// What `part` reads.
std::vector<Use> sources_of(const PlannedPart& part, const Program& program);
/// What `part` makes.
ValueId result_of(const PlannedPart& part, const Program& program);

}  // namespace meshmul
