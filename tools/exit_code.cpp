#include "exit_code.hpp"

namespace meshmul::cli {

int exit_code_of(ErrorCode code, int signal) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kOutOfMemory:
    case ErrorCode::kUnsupported: return kWrongInput;
    case ErrorCode::kRankFailed:
    case ErrorCode::kMachine: return kMachineFailed;
    case ErrorCode::kInterrupted: return 128 + signal;
  }
  __builtin_unreachable();
}

}  // namespace meshmul::cli
