#include "useful_flops.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>

namespace meshmul {

double useful_flops(const Statement& statement) {
  const auto* product = std::get_if<Product>(&statement);
  if (product == nullptr) return 0;
  double flops = 2;
  for (const Dim& dim : product->a.dims) flops *= static_cast<double>(dim.size);
  for (const Dim& dim : product->b.dims)
    if (std::find(product->a.dims.begin(), product->a.dims.end(), dim) == product->a.dims.end())
      flops *= static_cast<double>(dim.size);
  return flops;
}

double useful_flops(const Program& program) {
  double flops = 0;
  const auto add = [&](const ProgramStatement& statement, std::int64_t times) {
    if (const auto* product = std::get_if<ProductStatement>(&statement))
      flops += static_cast<double>(times) * useful_flops(Statement(product_of(program, *product)));
  };
  for (const ProgramItem& item : program.items) {
    if (const auto* statement = std::get_if<ProgramStatement>(&item)) {
      add(*statement, 1);
    } else {
      const auto& loop = std::get<Repeat>(item);
      for (const ProgramStatement& inner : loop.body) add(inner, loop.count);
    }
  }
  return flops;
}

}  // namespace meshmul
