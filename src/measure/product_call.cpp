#include "product_call.hpp"

#include <cblas.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "meshmul/error.hpp"
#include "onednn_call.hpp"

namespace meshmul::measure {
namespace {

// Of a library that need not be there. It stays open.
template <class Function>
Function* symbol(const char* file, const char* name) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  void* const found = library != nullptr ? dlsym(library, name) : nullptr;
  if (found == nullptr)
    throw Error(ErrorCode::kMachine, fmt::format("cannot load {} of {}: {}", name, file, dlerror()));
  return reinterpret_cast<Function*>(found);
}

template <class T>
std::function<void()> by_cblas(const auto& gemm, const WholeProduct& product, const Operands& operands) {
  const auto m = static_cast<blasint>(product.m);
  const auto n = static_cast<blasint>(product.n);
  const auto k = static_cast<blasint>(product.k);
  const auto* a = reinterpret_cast<const T*>(operands.a);
  const auto* b = reinterpret_cast<const T*>(operands.b);
  auto* c = reinterpret_cast<T*>(operands.c);
  return [=] { gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, T(1), a, k, b, n, T(0), c, n); };
}

std::function<void()> by_openblas(const WholeProduct& product, const Operands& operands) {
  return product.dtype == Dtype::kF64 ? by_cblas<double>(cblas_dgemm, product, operands)
                                      : by_cblas<float>(cblas_sgemm, product, operands);
}

std::function<void()> by_blis(const WholeProduct& product, const Operands& operands) {
  constexpr const char* kFile = "libblis.so.4";
  if (product.dtype == Dtype::kF64)
    return by_cblas<double>(symbol<decltype(cblas_dgemm)>(kFile, "cblas_dgemm"), product, operands);
  return by_cblas<float>(symbol<decltype(cblas_sgemm)>(kFile, "cblas_sgemm"), product, operands);
}

}  // namespace

std::function<void()> product_call(const std::string& library, const WholeProduct& product, const Operands& operands) {
  const bool is_blas_dtype = product.dtype == Dtype::kF32 || product.dtype == Dtype::kF64;
  const bool is_onednn_dtype = product.dtype == Dtype::kF32 || product.dtype == Dtype::kBf16;
  if (library == "openblas" && is_blas_dtype) return by_openblas(product, operands);
  if (library == "blis" && is_blas_dtype) return by_blis(product, operands);
  if (library == "onednn" && is_onednn_dtype) return by_onednn(product, operands);
  throw Error(ErrorCode::kInvalidArgument, fmt::format("{} multiplies no {}", library, name(product.dtype)));
}

}  // namespace meshmul::measure
