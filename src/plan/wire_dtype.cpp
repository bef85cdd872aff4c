#include "meshmul/wire_dtype.hpp"

#include <fmt/format.h>

#include <string>

#include "meshmul/error.hpp"

namespace meshmul {

void check_wire_dtype(const Statement& statement, std::optional<Dtype> wire_dtype) {
  const auto* product = std::get_if<Product>(&statement);
  if (product == nullptr || !wire_dtype) return;
  const Dtype of = product->a.dtype;
  const Dtype returned = product_dtype(of);
  const Dtype added = accumulator_of(of);
  if (*wire_dtype == returned || *wire_dtype == added) return;
  const std::string possible =
      returned == added ? std::string(name(added)) : fmt::format("{} or {}", name(returned), name(added));
  throw Error(ErrorCode::kInvalidArgument, fmt::format("the partial sums of a product of {} travel in {}; found {}",
                                                       name(of), possible, name(*wire_dtype)));
}

}  // namespace meshmul
