#pragma once
// What the program's exit code says; scripts build on it.

#include "meshmul/error.hpp"

namespace meshmul::cli {

enum ExitCode : int {
  kFine = 0,
  kAnswerIsNo = 1,     ///< findings, or a mismatch
  kWrongInput = 2,     ///< statement, file, option, or more memory than there is
  kMachineFailed = 3,  ///< a rank or the machine failed
};

/// The exit code of an error; `signal` is what interrupted the run, for 130 (SIGINT) or 143 (SIGTERM).
int exit_code_of(ErrorCode code, int signal);

}  // namespace meshmul::cli
