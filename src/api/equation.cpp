#include "equation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/einsum.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// `array` with its dimensions named by `letters`.
ArrayType named(const ArrayType& array, const std::string& name, const std::string& letters, std::string_view equation,
                std::size_t offset) {
  if (static_cast<int>(letters.size()) != array.num_dims())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("'{}' names {} dimensions; the array has {}", letters, letters.size(), array.num_dims()),
                TextPlace{std::string(equation), offset, std::max<std::size_t>(letters.size(), 1)});
  ArrayType type = array;
  type.name = name;
  for (std::size_t d = 0; d < letters.size(); ++d) type.dims[d].index = std::string(1, letters[d]);
  return type;
}

}  // namespace

Product product_of(std::string_view equation, const ArrayType& a, const ArrayType& b, const std::optional<P>& output,
                   const Mesh& mesh) {
  const Einsum einsum = parse_einsum(equation);
  if (a.dtype != b.dtype)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the inputs of a product have one dtype; found {} and {}", name(a.dtype), name(b.dtype)));
  Product product{named(a, "A", einsum.a, equation, 0), named(b, "B", einsum.b, equation, einsum.a.size() + 1), {}};
  product.c.name = "C";
  product.c.dtype = product_dtype(a.dtype);
  for (const char letter : einsum.c) {
    const std::string index(1, letter);
    const ArrayType& source = einsum.a.find(letter) != std::string::npos ? product.a : product.b;
    product.c.dims.push_back(
        *std::find_if(source.dims.begin(), source.dims.end(), [&](const Dim& dim) { return dim.index == index; }));
  }
  for (const Dim& left : product.a.dims)
    for (const Dim& right : product.b.dims)
      if (left.index == right.index && left.size != right.size)
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("index {} has size {} in the first array and {} in the second", left.index, left.size,
                                right.size),
                    TextPlace{std::string(equation), equation.find(left.index), 1});
  product.c.open = !output.has_value();
  product.c.sharding =
      output ? output->resolve(mesh, product.c.num_dims()) : Sharding::replicated(product.c.num_dims());
  return product;
}

ArrayType with_index_names(ArrayType type) {
  type.name = "A";
  for (std::size_t d = 0; d < type.dims.size(); ++d) type.dims[d].index = fmt::format("I{}", d);
  return type;
}

}  // namespace meshmul
