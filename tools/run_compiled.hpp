#pragma once
// A statement or program that was compiled, from its prediction to the answer.

#include "meshmul/compile.hpp"
#include "meshmul/hardware.hpp"
#include "run_session.hpp"

namespace meshmul::cli {

/// Predicts the times of `task`, whose schedule is that of `compiled`, if something is to be drawn or compared; carries it
/// out; and says what came of it.
Answer run_compiled(const RunOptions& options, const Compiled& compiled, const Hardware& hardware, const RunTask& task);
Answer run_compiled(const RunOptions& options, const CompiledProgram& compiled, const Hardware& hardware,
                    const RunTask& task);

}  // namespace meshmul::cli
