// In place of onednn_call.cpp where oneDNN is not installed.

#include "meshmul/error.hpp"
#include "onednn_call.hpp"

namespace meshmul::measure {

std::function<void()> by_onednn(const WholeProduct&, const Operands&) {
  throw Error(ErrorCode::kUnsupported, "this build of meshmul has no oneDNN");
}

}  // namespace meshmul::measure
