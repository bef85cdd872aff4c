#pragma once
// Compares the outputs of a run with the same statement or program in one piece.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/check.hpp"
#include "meshmul/compile.hpp"
#include "progress.hpp"
#include "run_inputs.hpp"
#include "run_outputs.hpp"

namespace meshmul::cli {

/// Whether an output is right.
struct OutputCheck {
  std::string array;
  CheckResult result;
};

/// Says of each output of a run of the schedule whether it is right; empty if nobody asks.
using OutputChecker = std::function<std::vector<OutputCheck>(const Schedule&, Session&, Progress&)>;

/// A schedule that has been run, and its data. Keeps references to all of it.
struct RanSchedule {
  const Schedule& schedule;
  const std::vector<Input>& inputs;  ///< whole arrays, in the order of the statement or program
  const std::vector<Output>& outputs;
  Session& session;
  Progress& progress;
};

/// Reads the inputs once more, whole, and the outputs; a result for each of these. Throws Error(kOutOfMemory) with both
/// numbers if they do not fit beside the session.
std::vector<OutputCheck> check_run(const Compiled& compiled, const RanSchedule& ran,
                                   const std::optional<Dtype>& wire_dtype);

/// The same for a schedule that was read, which says itself how many partial sums it adds.
std::vector<OutputCheck> check_run(const RanSchedule& ran);

/// The same of a program. A wire that is wider than an output only makes it more exact.
std::vector<OutputCheck> check_run(const CompiledProgram& compiled, const RanSchedule& ran);

/// Throws Error(kInvalidArgument) if the contract of the schedule called `name` is not one statement: more are not
/// recomputed here.
void require_checkable(const Schedule& schedule, const std::string& name);

}  // namespace meshmul::cli
