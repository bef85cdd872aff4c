#include "tuned_products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "blas_kernel.hpp"
#include "integer_kernel.hpp"
#include "onednn_kernel.hpp"

namespace meshmul {

TunedProducts::TunedProducts(const CpuFeatures& cpu, bool use_onednn) {
  const auto sgemm = std::make_shared<BlasKernel<float>>();
  kernel(Dtype::kF64) = std::make_shared<BlasKernel<double>>();
  kernel(Dtype::kF32) = sgemm;
  kernel(Dtype::kF16) = sgemm;
  kernel(Dtype::kBf16) = sgemm;
  kernel(Dtype::kF8e4m3) = sgemm;
  kernel(Dtype::kI8) = std::make_shared<BlasKernel<float>>(BlasKernel<float>::kExactDepthOfI8);
  kernel(Dtype::kI32) = std::make_shared<IntegerKernel>(cpu);
  if (!use_onednn) return;
  for (const Dtype dtype : {Dtype::kBf16, Dtype::kI8})
    if (onednn_multiplies(dtype, cpu)) kernel(dtype) = make_onednn_kernel(dtype);
}

std::string TunedProducts::description() const {
  // Kernels in the order of their first dtype, each with its dtypes.
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Dtype dtype : kAllDtypes) {
    const std::string text = kernels_[static_cast<std::size_t>(dtype)]->description();
    auto line = std::ranges::find(lines, text, &std::pair<std::string, std::string>::first);
    if (line == lines.end()) line = lines.insert(lines.end(), {text, ""});
    line->second += fmt::format(" {}", name(dtype));
  }
  std::string result;
  for (const auto& [kernel, dtypes] : lines)
    result += fmt::format("{}{}:{}", result.empty() ? "" : "; ", kernel, dtypes);
  return result;
}

void TunedProducts::gemm(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) {
  assert(a.dtype == b.dtype);
  BlockedProduct(*kernel(a.dtype), scratch_, c, a, b, einsum, accumulate).run();
}

}  // namespace meshmul
