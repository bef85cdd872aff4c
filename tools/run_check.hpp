#pragma once
// Compares the outputs of a run with the same statement or program in one piece.

#include <optional>
#include <string>
#include <vector>

#include "meshmul/check.hpp"
#include "meshmul/compile.hpp"
#include "progress.hpp"
#include "run_inputs.hpp"
#include "run_outputs.hpp"

namespace meshmul::cli {

/// Reads the inputs once more, whole, and the output. Throws Error(kOutOfMemory) with both numbers if these do not fit
/// beside the session.
CheckResult check_run(const Compiled& compiled, const std::vector<Input>& inputs, const Output& output,
                      const std::optional<Dtype>& wire_dtype, Session& session, Progress& progress);

/// The same for a schedule that was read, which says itself how many partial sums it adds.
CheckResult check_run(const Schedule& schedule, const std::vector<Input>& inputs, const Output& output,
                      Session& session, Progress& progress);

/// The same of a program. `inputs` are all its given arrays, whole; `outputs` all its outputs. A wire that is wider than an
/// output only makes it more exact.
std::vector<CheckResult> check_run(const CompiledProgram& compiled, const std::vector<Input>& inputs,
                                   const std::vector<Output>& outputs, Session& session, Progress& progress);

/// Throws Error(kInvalidArgument) if the contract of the schedule called `name` is not one statement: more are not
/// recomputed here.
void require_checkable(const Schedule& schedule, const std::string& name);

}  // namespace meshmul::cli
