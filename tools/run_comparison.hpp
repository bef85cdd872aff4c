#pragma once
// `meshmul run --compare`: every way to build a plan, predicted and measured.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/hardware.hpp"
#include "run_check.hpp"
#include "run_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {

struct WayTimes {
  std::string way;
  std::int64_t predicted_ps = 0;
  std::vector<double> measured_seconds;  ///< of all rounds, rising
  std::vector<OutputCheck> checks;       ///< after the last of them; empty if nobody asked

  /// What a quarter of the rounds took less than: others that use the machine only ever add time.
  double typical_seconds() const { return measured_seconds[measured_seconds.size() / 4]; }
  bool is_right() const;
};

struct RunComparison {
  std::string subject;  ///< a statement, or the file of a program
  bool is_program = false;
  std::string hardware;
  std::string backend;
  std::vector<WayTimes> ways;  ///< in the order in which they are predicted
};

/// Throws Error(kInvalidArgument) if a comparison is asked for together with what is of one run.
void check_comparison(const RunOptions& options);

/// What every way is run with. Keeps references to all of it.
struct ComparisonTask {
  const std::string& subject;
  const Hardware& hardware;
  const std::vector<Input>& inputs;
  std::optional<std::int64_t> memory_bytes;  ///< ways that take more on a rank are left out
  OutputChecker check;
};

/// Proves all ways of `compiled.candidates`, unless the options forbid it, and runs them in turn, as often as these say. Before
/// each time that counts are some that do not, for 20 ms or so, so that caches hold what a way itself leaves in them. All ways are
/// loaded at once: throws Error(kOutOfMemory) where they do not fit. Throws Error(kInvalidArgument) if there is no way that can
/// be simulated and fits.
Answer compare_ways(const RunOptions& options, const Compiled& compiled, const ComparisonTask& task);
Answer compare_ways(const RunOptions& options, const CompiledProgram& compiled, const ComparisonTask& task);

/// Each way with its times and whether it is right, and how much slower the one that is predicted to be the fastest is than the fastest.
std::string as_text(const RunComparison& comparison);
Json as_json(const RunComparison& comparison);

}  // namespace meshmul::cli
