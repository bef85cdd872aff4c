#pragma once
// A schedule on a backend, with data: what every form of `run` comes to.

#include <optional>
#include <string>
#include <vector>

#include "run_options.hpp"
#include "run_outputs.hpp"
#include "run_report.hpp"
#include "verb.hpp"

namespace meshmul::cli {

/// What is run, and with which data. Keeps references to all of it.
struct RunTask {
  const Schedule& schedule;
  const std::vector<Input>& inputs;
  const std::vector<Output>& outputs;
  const std::vector<OutputFile>& files;  ///< where outputs go
  OutputChecker check;
};

/// Throws Error(kInvalidArgument) or Error(kMachine) if one of `files` cannot take its array, before anything is computed.
void require_writable(const std::vector<OutputFile>& files, const std::vector<Output>& outputs);

/// Runs the task once, writes what came out, and checks it. The subject of the result is still empty.
RunResult carry_out(const RunOptions& options, const RunTask& task);

/// Compares what was measured with what was predicted, and draws both, as far as it was asked for. `drawing` has the
/// schedule, what was predicted, and the plan if there is one.
void look_at_times(const RunOptions& options, Drawing drawing, RunResult& result);

Answer answer_of(const RunOptions& options, const RunResult& result);

}  // namespace meshmul::cli
