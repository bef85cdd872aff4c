#include "one_process.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include "kernels/onednn_kernel.hpp"
#include "peer_program.hpp"
#include "whole_product.hpp"

namespace meshmul::measure {
namespace {

struct Library {
  std::string name;
  std::string argument;  ///< of the program
  std::vector<std::string> environment;
};

std::int64_t size_of(const ArrayType& type, const std::string& index) {
  const auto is_it = [&](const Dim& dim) { return dim.index == index; };
  return std::find_if(type.dims.begin(), type.dims.end(), is_it)->size;
}

std::optional<WholeProduct> as_matrices(const Product& product) {
  const IndexRoles roles = index_roles(product);
  const bool are_matrices =
      roles.batch.empty() && roles.left.size() == 1 && roles.right.size() == 1 && roles.contracted.size() == 1;
  if (!are_matrices) return std::nullopt;
  const WholeProduct whole{product.a.dtype, size_of(product.a, roles.left.front()),
                           size_of(product.b, roles.right.front()), size_of(product.a, roles.contracted.front())};
  if (whole.m == 0 || whole.n == 0 || whole.k == 0) return std::nullopt;
  return whole;
}

// OpenBLAS takes the kernels of the processor that it is told, whether or not this one can run them.
std::vector<std::string> core_types() {
  std::vector<std::string> types;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) types = {"Haswell", "Zen"};
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    types.emplace_back("SkylakeX");
#endif
  return types;
}

bool has_blis() {
  void* const library = dlopen("libblis.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return false;
  dlclose(library);
  return true;
}

std::vector<Library> libraries_for(Dtype dtype) {
  const std::string cores = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<Library> libraries;
  if (dtype == Dtype::kF32 || dtype == Dtype::kF64) {
    const std::string threads = "OPENBLAS_NUM_THREADS=" + cores;
    libraries.push_back({"OpenBLAS", "openblas", {threads}});
    for (const std::string& type : core_types())
      libraries.push_back({"OpenBLAS as " + type, "openblas", {threads, "OPENBLAS_CORETYPE=" + type}});
    if (has_blis()) libraries.push_back({"BLIS", "blis", {"BLIS_NUM_THREADS=" + cores, "OPENBLAS_NUM_THREADS=1"}});
  }
  if (built_with_onednn() && (dtype == Dtype::kF32 || dtype == Dtype::kBf16))
    libraries.push_back(
        {"oneDNN", "onednn", {"OMP_NUM_THREADS=" + cores, "OMP_WAIT_POLICY=passive", "OPENBLAS_NUM_THREADS=1"}});
  return libraries;
}

}  // namespace

std::vector<OneProcess> in_one_process(const Product& product, const std::function<bool()>& interrupted) {
  const std::optional<WholeProduct> whole = as_matrices(product);
  const auto program = find_peer_program("meshmul-whole-products");
  if (!whole || !program) return {};
  std::vector<OneProcess> all;
  for (const Library& library : libraries_for(whole->dtype)) {
    const auto peer =
        std::make_shared<PeerProgram>(*program, std::vector<std::string>{library.argument}, library.environment);
    all.push_back({library.name, [peer, whole = *whole, interrupted] {
                     double seconds = 0;
                     peer->ask(std::as_bytes(std::span(&whole, 1)), std::as_writable_bytes(std::span(&seconds, 1)),
                               interrupted);
                     return seconds;
                   }});
  }
  return all;
}

}  // namespace meshmul::measure
