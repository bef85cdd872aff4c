// The statements of a backward pass for one statement of a forward pass.

#include <fmt/format.h>

#include "meshmul/differentiate.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

ArrayType cotangent(ArrayType array) {
  if (array.name.empty())
    throw Error(ErrorCode::kInvalidArgument, "gradients are called after their arrays; expected a name for each array");
  if (accumulator_of(array.dtype) == Dtype::kI32)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} is {}; gradients are of floating-point arrays", array.name, name(array.dtype)));
  array.name = "d" + array.name;
  array.sharding.unreduced.clear();
  return array;
}

void check_dtypes(const Product& product) {
  if (product.c.dtype != product.a.dtype)
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is {} but {} is {}, so that no product has both as inputs; convert {} first", product.c.name,
                    name(product.c.dtype), product.a.name, name(product.a.dtype), product.a.name));
}

}  // namespace

std::vector<Statement> gradient_statements(const Statement& statement, const Mesh& mesh) {
  if (const auto* product = std::get_if<Product>(&statement)) {
    const auto& [a, b, c] = *product;
    const ArrayType of_a = cotangent(a), of_b = cotangent(b), of_c = cotangent(c);
    check_dtypes(*product);
    return {Product{of_c, b, of_a}, Product{a, of_c, of_b}};
  }
  if (const auto* reshard = std::get_if<Reshard>(&statement))
    return {Reshard{cotangent(reshard->to), cotangent(reshard->from)}};
  return {transposed(std::get<Collective>(statement), mesh)};
}

}  // namespace meshmul
