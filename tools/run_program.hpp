#pragma once
// `meshmul run FILE.mm`: carries out a whole program.

#include "run_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {

/// The statement in `options` is the path. Errors in the text of the program name file, line and column.
Answer run_program(const RunOptions& options);

}  // namespace meshmul::cli
