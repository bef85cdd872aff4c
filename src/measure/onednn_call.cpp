#include "onednn_call.hpp"

#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

namespace meshmul::measure {

std::function<void()> by_onednn(const WholeProduct& product, const Operands& operands) {
  using dnnl::memory;
  const auto type = product.dtype == Dtype::kF32 ? memory::data_type::f32 : memory::data_type::bf16;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  const auto matrix = [&](std::int64_t rows, std::int64_t columns, const std::byte* data) {
    const memory::desc description({rows, columns}, type, memory::format_tag::ab);
    return memory(description, engine, const_cast<std::byte*>(data));
  };
  const memory a = matrix(product.m, product.k, operands.a);
  const memory b = matrix(product.k, product.n, operands.b);
  const memory c = matrix(product.m, product.n, operands.c);
  const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a.get_desc(), b.get_desc(), c.get_desc()), engine);
  return [matmul = dnnl::matmul(description), stream = dnnl::stream(engine),
          arguments =
              std::unordered_map<int, memory>{{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}}]() mutable {
    matmul.execute(stream, arguments);
    stream.wait();
  };
}

}  // namespace meshmul::measure
