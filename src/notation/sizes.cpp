// Sizes of indices: setting those that the text left out, and refusing what 64-bit arithmetic cannot hold.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <string>

#include "meshmul/error.hpp"
#include "meshmul/statement.hpp"
#include "notation/print.hpp"
#include "notation/size_limit.hpp"

namespace meshmul {
namespace {

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::kInvalidArgument, sentence); }

/// True if `factor` times all sizes is 2^62 or more. An empty dimension counts as one element, so that partial
/// products stay in range whatever their order.
bool reaches_limit(const std::vector<Dim>& dims, std::int64_t factor) {
  std::int64_t product = factor;
  for (const Dim& dim : dims) {
    const std::int64_t size = std::max<std::int64_t>(dim.size, 1);
    if (product > (notation::kMaxSize - 1) / size) return true;
    product *= size;
  }
  return false;
}

/// `I=1024 x J=4096`
std::string sizes_text(const std::vector<Dim>& dims) {
  std::vector<std::string> sizes;
  for (const Dim& dim : dims)
    sizes.push_back(dim.index.empty() ? fmt::format("{}", dim.size) : fmt::format("{}={}", dim.index, dim.size));
  return fmt::format("{}", fmt::join(sizes, " x "));
}

std::vector<const ArrayType*> arrays(const Statement& statement) {
  std::vector<const ArrayType*> all = inputs(statement);
  all.push_back(&output(statement));
  return all;
}

/// The indices of a product, each once.
std::vector<Dim> distinct_dims(const Product& product) {
  std::vector<Dim> dims = product.a.dims;
  for (const Dim& dim : product.b.dims)
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) dims.push_back(dim);
  return dims;
}

}  // namespace

Shape global_shape(const ArrayType& type) {
  Shape shape;
  for (const Dim& dim : type.dims) {
    assert(dim.size != kUnknownSize);
    shape.push_back(dim.size);
  }
  return shape;
}

void set_size(Statement& statement, std::string_view index, std::int64_t size) {
  if (size < 0 || size > notation::kMaxSize)
    fail(fmt::format("index {} cannot have size {}; sizes go from 0 to {}", index, size, notation::kMaxSize));
  std::vector<ArrayType*> all = inputs(statement);
  all.push_back(&output(statement));
  bool found = false;
  for (ArrayType* type : all)
    for (Dim& dim : type->dims) {
      if (dim.index != index) continue;
      found = true;
      if (dim.size != kUnknownSize && dim.size != size)
        fail(fmt::format("index {} already has size {}; found {}", index, dim.size, size));
      dim.size = size;
    }
  if (!found) fail(fmt::format("the statement has no index {}", index));
}

void check_sizes(const Statement& statement) {
  for (const ArrayType* type : arrays(statement)) {
    for (const Dim& dim : type->dims)
      if (dim.size == kUnknownSize) fail(fmt::format("index {0} has no size; write {0}=SIZE once", dim.index));
    if (reaches_limit(type->dims, size_bytes(type->dtype)))
      fail(fmt::format("{} is too large: {} elements of {} take 2^62 bytes or more", notation::label(*type),
                       sizes_text(type->dims), name(type->dtype)));
  }
  if (const auto* product = std::get_if<Product>(&statement)) {
    const std::vector<Dim> dims = distinct_dims(*product);
    if (reaches_limit(dims, 1))
      fail(fmt::format("the product is too large: {} is 2^62 multiplications or more", sizes_text(dims)));
  }
}

}  // namespace meshmul
