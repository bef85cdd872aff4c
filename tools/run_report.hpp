#pragma once
// What a run prints: what was done, how fast, with how much memory, and whether the result is right.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/execute.hpp"
#include "run_check.hpp"
#include "run_options.hpp"
#include "time_comparison.hpp"

namespace meshmul::cli {

/// What was carried out, as a plan or as a schedule that was read.
struct RunSubject {
  std::string text;  ///< lines
  Json json;         ///< members
  /// Multiplications and additions of its products, each once.
  double flops = 0;
  std::int64_t workspace_bytes = 0;  ///< of what is neither input nor output, on a rank: slots and the like
  std::string way = {};              ///< how it was built; empty if it was read
  std::optional<std::int64_t> planned_bytes = {};  ///< most on a device, as the plan says
  std::optional<std::int64_t> given_bytes = {};    ///< of the given arrays of a program, on a rank
};

RunSubject subject_of(const Compiled& compiled);
RunSubject subject_of(const CompiledProgram& compiled);
/// `name` is where the schedule was read.
RunSubject subject_of(const Schedule& schedule, const std::string& name);

/// A line for each; names count where there are several.
std::string checks_text(const std::vector<OutputCheck>& checks);
Json checks_json(const std::vector<OutputCheck>& checks);

struct RunResult {
  RunSubject subject;
  std::string backend;
  RunReport measured;
  std::int64_t bytes_moved = 0;  ///< between ranks
  bool replicas_agree = true;
  std::vector<OutputFile> outputs;   ///< those that were written
  std::vector<OutputCheck> checks;   ///< empty if nobody asked
  std::optional<Timeline> timeline;  ///< as it was recorded, if that was asked for
  std::optional<TimeComparison> times;
};

/// True if no check says otherwise.
bool is_right(const RunResult& result);

std::string as_text(const RunResult& result);
std::string as_json(const RunResult& result);

}  // namespace meshmul::cli
