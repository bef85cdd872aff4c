#include "onednn_kernel.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cassert>
#include <compare>
#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <utility>

#include "meshmul/error.hpp"
#include "scratch.hpp"

namespace meshmul {
namespace {

/// oneDNN asks OpenMP for the number of threads, which is a setting of the calling thread.
class OneThread {
 public:
  OneThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

dnnl::memory::data_type data_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF32: return dnnl::memory::data_type::f32;
    case Dtype::kBf16: return dnnl::memory::data_type::bf16;
    case Dtype::kI8: return dnnl::memory::data_type::s8;
    case Dtype::kI32: return dnnl::memory::data_type::s32;
    case Dtype::kF64:
    case Dtype::kF16:
    case Dtype::kF8e4m3: break;
  }
  assert(false);
  return dnnl::memory::data_type::undef;
}

template <class Byte>
dnnl::memory::desc describe(std::int64_t rows, std::int64_t columns, Dtype dtype, const BasicMatrix<Byte>& matrix) {
  const dnnl::memory::dims strides =
      matrix.transposed ? dnnl::memory::dims{1, matrix.leading} : dnnl::memory::dims{matrix.leading, 1};
  return {{rows, columns}, data_type(dtype), strides};
}

class OneDnnKernel : public MatrixKernel {
 public:
  explicit OneDnnKernel(Dtype operand) : operand_(operand) {}

  std::string description() const override;
  Dtype operand() const override { return operand_; }
  Dtype result() const override { return operand_ == Dtype::kI8 ? Dtype::kI32 : Dtype::kF32; }
  bool rounds_into(Dtype dtype) const override { return dtype == result() || dtype == operand_; }
  /// oneDNN adds integers to an old c by way of f32.
  bool accumulates() const override { return operand_ != Dtype::kI8; }
  void multiply(const MatrixProduct& product) override;

 private:
  /// What a compiled product depends on.
  struct Key {
    std::int64_t m, n, k, a_leading, b_leading, c_leading;
    bool a_transposed, b_transposed, accumulate;
    Dtype c_dtype;
    auto operator<=>(const Key&) const = default;
  };
  struct Compiled {
    dnnl::memory::desc a, b, c;
    dnnl::matmul::primitive_desc description;
    dnnl::matmul primitive;
  };
  Compiled compile(const MatrixProduct& product) const;
  const Compiled& compiled(const MatrixProduct& product);

  Dtype operand_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::map<Key, Compiled> compiled_;
  ScratchBytes scratchpad_;
};

std::string OneDnnKernel::description() const {
  const dnnl_version_t& version = *dnnl_version();
  return fmt::format("oneDNN {}.{}.{}", version.major, version.minor, version.patch);
}

OneDnnKernel::Compiled OneDnnKernel::compile(const MatrixProduct& product) const {
  const auto a = describe(product.m, product.k, operand_, product.a);
  const auto b = describe(product.k, product.n, operand_, product.b);
  const auto c = describe(product.m, product.n, product.c_dtype, product.c);
  dnnl::primitive_attr attributes;
  // Scratch memory of our own: the library's is shared between primitives of a thread.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (product.accumulate) {
    dnnl::post_ops sum;
    sum.append_sum();
    attributes.set_post_ops(sum);
  }
  const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, c), attributes, engine_);
  return {a, b, c, description, dnnl::matmul(description)};
}

const OneDnnKernel::Compiled& OneDnnKernel::compiled(const MatrixProduct& product) {
  constexpr std::size_t kMostCompiled = 256;
  const Key key{product.m,
                product.n,
                product.k,
                product.a.leading,
                product.b.leading,
                product.c.leading,
                product.a.transposed,
                product.b.transposed,
                product.accumulate,
                product.c_dtype};
  auto found = compiled_.find(key);
  if (found == compiled_.end()) {
    if (compiled_.size() == kMostCompiled) compiled_.clear();
    found = compiled_.emplace(key, compile(product)).first;
  }
  return found->second;
}

void OneDnnKernel::multiply(const MatrixProduct& product) {
  const OneThread one_thread;
  try {
    const Compiled& matmul = compiled(product);
    const dnnl::memory::desc scratchpad = matmul.description.scratchpad_desc();
    // oneDNN's arguments are not const; the sources are only read.
    const auto memory = [&](const dnnl::memory::desc& desc, const std::byte* data) {
      return dnnl::memory(desc, engine_, const_cast<std::byte*>(data));
    };
    matmul.primitive.execute(
        stream_, {{DNNL_ARG_SRC, memory(matmul.a, product.a.data)},
                  {DNNL_ARG_WEIGHTS, memory(matmul.b, product.b.data)},
                  {DNNL_ARG_DST, memory(matmul.c, product.c.data)},
                  {DNNL_ARG_SCRATCHPAD,
                   memory(scratchpad, scratchpad_.at_least(static_cast<std::int64_t>(scratchpad.get_size())))}});
    stream_.wait();
  } catch (const dnnl::error& error) {
    throw Error(ErrorCode::kMachine, fmt::format("oneDNN could not multiply {} x {} by {} x {}: {}", product.m,
                                                 product.k, product.k, product.n, error.what()));
  }
}

}  // namespace

bool built_with_onednn() { return true; }

bool onednn_multiplies(Dtype operand, const CpuFeatures& cpu) {
  // The library may be told to use less than the CPU has (DNNL_MAX_CPU_ISA).
  const dnnl::cpu_isa used = dnnl::get_effective_cpu_isa();
  const bool uses_bf16 = used == dnnl::cpu_isa::avx512_core_bf16 || used == dnnl::cpu_isa::avx512_core_amx;
  const bool uses_vnni = uses_bf16 || used == dnnl::cpu_isa::avx512_core_vnni || used == dnnl::cpu_isa::avx2_vnni;
  if (operand == Dtype::kBf16) return cpu.avx512_bf16 && uses_bf16;
  return operand == Dtype::kI8 && cpu.vnni && uses_vnni;
}

std::unique_ptr<MatrixKernel> make_onednn_kernel(Dtype operand) {
  assert(operand == Dtype::kBf16 || operand == Dtype::kI8);
  return std::make_unique<OneDnnKernel>(operand);
}

}  // namespace meshmul
