#pragma once
// Compares the output of a run with the same statement in one piece.

#include <optional>
#include <vector>

#include "meshmul/check.hpp"
#include "meshmul/compile.hpp"
#include "progress.hpp"
#include "run_inputs.hpp"
#include "run_outputs.hpp"

namespace meshmul::cli {

/// Reads the inputs once more, whole, and the output. Throws Error(kOutOfMemory) with both numbers if these do not fit
/// beside the session.
CheckResult check_run(const Compiled& compiled, const std::vector<Input>& inputs,
                      const std::vector<OutputPiece>& pieces, const std::optional<Dtype>& wire_dtype, Session& session,
                      Progress& progress);

}  // namespace meshmul::cli
