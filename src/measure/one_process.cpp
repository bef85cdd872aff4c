#include "blas_in_one_process.hpp"

#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "execute/cpu/mapping.hpp"

namespace meshmul::measure {
namespace {

std::int64_t size_of(const ArrayType& type, const std::string& index) {
  const auto is_it = [&](const Dim& dim) { return dim.index == index; };
  return std::find_if(type.dims.begin(), type.dims.end(), is_it)->size;
}

// In memory like that of the ranks: large pages where the machine has them.
template <class T>
class WholeProduct {
 public:
  WholeProduct(std::int64_t m, std::int64_t n, std::int64_t k)
      : m_(static_cast<blasint>(m)),
        n_(static_cast<blasint>(n)),
        k_(static_cast<blasint>(k)),
        a_(filled(m * k)),
        b_(filled(k * n)),
        c_(filled(m * n)) {}

  double seconds() const {
    // Ranks call the library one thread each, and go on to do so.
    openblas_set_num_threads(static_cast<int>(std::thread::hardware_concurrency()));
    const auto begin = std::chrono::steady_clock::now();
    const auto gemm = [] {
      if constexpr (std::is_same_v<T, float>)
        return cblas_sgemm;
      else
        return cblas_dgemm;
    }();
    gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m_, n_, k_, T(1), data(a_), k_, data(b_), n_, T(0), data(c_), n_);
    const auto end = std::chrono::steady_clock::now();
    openblas_set_num_threads(1);
    return std::chrono::duration<double>(end - begin).count();
  }

 private:
  static T* data(const MemoryMapping& mapping) { return reinterpret_cast<T*>(mapping.data()); }
  static MemoryMapping filled(std::int64_t elements) {
    MemoryMapping mapping = MemoryMapping::anonymous(elements * static_cast<std::int64_t>(sizeof(T)));
    std::fill_n(data(mapping), elements, T(0.5));
    return mapping;
  }

  blasint m_, n_, k_;
  MemoryMapping a_, b_, c_;
};

template <class T>
Timed timed(std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto whole = std::make_shared<WholeProduct<T>>(m, n, k);
  return [whole] { return whole->seconds(); };
}

}  // namespace

Timed blas_in_one_process(const Product& product) {
  const IndexRoles roles = index_roles(product);
  const bool are_matrices =
      roles.batch.empty() && roles.left.size() == 1 && roles.right.size() == 1 && roles.contracted.size() == 1;
  if (!are_matrices) return nullptr;
  const std::int64_t m = size_of(product.a, roles.left.front());
  const std::int64_t n = size_of(product.b, roles.right.front());
  const std::int64_t k = size_of(product.a, roles.contracted.front());
  if (product.a.dtype == Dtype::kF32) return timed<float>(m, n, k);
  if (product.a.dtype == Dtype::kF64) return timed<double>(m, n, k);
  return nullptr;
}

}  // namespace meshmul::measure
