// In place of onednn_kernel.cpp where oneDNN is not installed.

#include "meshmul/error.hpp"
#include "onednn_kernel.hpp"

namespace meshmul {

bool built_with_onednn() { return false; }

bool onednn_multiplies(Dtype, const CpuFeatures&) { return false; }

std::unique_ptr<MatrixKernel> make_onednn_kernel(Dtype) {
  throw Error(ErrorCode::kUnsupported, "this build of meshmul has no oneDNN");
}

}  // namespace meshmul
