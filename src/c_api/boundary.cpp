#include "c_api/boundary.hpp"

namespace meshmul::c_api {
namespace {

std::string& last_error() {
  thread_local std::string sentence;
  return sentence;
}

}  // namespace

meshmul_status fail(meshmul_status status, const char* sentence) noexcept {
  try {
    last_error() = sentence;
  } catch (const std::bad_alloc&) {
    last_error().clear();
  }
  return status;
}

meshmul_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kOutOfMemory:
    case ErrorCode::kUnsupported: return MESHMUL_WRONG_INPUT;
    case ErrorCode::kRankFailed:
    case ErrorCode::kMachine:
    case ErrorCode::kInterrupted: return MESHMUL_FAILED;
  }
  __builtin_unreachable();
}

}  // namespace meshmul::c_api

const char* meshmul_last_error() { return meshmul::c_api::last_error().c_str(); }
