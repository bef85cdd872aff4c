// Sizes of indices: setting those that the text left out, and refusing what 64-bit arithmetic cannot hold.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "meshmul/contract_statement.hpp"
#include "meshmul/error.hpp"
#include "meshmul/program.hpp"
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

/// For sentences about sizes that are too large although nothing is there.
std::string_view empty_clause(const std::vector<Dim>& dims) {
  const bool empty = std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.size == 0; });
  return empty ? " even without its empty dimensions" : "";
}

/// The indices of a product, each once.
std::vector<Dim> distinct_dims(const Product& product) {
  std::vector<Dim> dims = product.a.dims;
  for (const Dim& dim : product.b.dims)
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) dims.push_back(dim);
  return dims;
}

/// Whether one of the arrays has `index`, which then has `size` in all of them.
bool set_size_of(const std::vector<ArrayType*>& arrays, std::string_view index, std::int64_t size) {
  if (size < 0 || size > notation::kMaxSize)
    fail(fmt::format("index {} cannot have size {}; sizes go from 0 to {}", index, size, notation::kMaxSize));
  bool found = false;
  for (ArrayType* type : arrays)
    for (Dim& dim : type->dims) {
      if (dim.index != index) continue;
      found = true;
      if (dim.size != kUnknownSize && dim.size != size)
        fail(fmt::format("index {} already has size {}; found {}", index, dim.size, size));
      dim.size = size;
    }
  return found;
}

/// Why the size of an array is not fit to be planned; nothing if it is.
std::optional<std::string> size_fault(const ArrayType& type) {
  for (const Dim& dim : type.dims)
    if (dim.size == kUnknownSize) return fmt::format("index {0} has no size; write {0}=SIZE once", dim.index);
  if (!reaches_limit(type.dims, size_bytes(type.dtype))) return std::nullopt;
  return fmt::format("{} is too large: {} elements of {} take 2^62 bytes or more{}", notation::label(type),
                     sizes_text(type.dims), name(type.dtype), empty_clause(type.dims));
}

/// Why a product is too much work; nothing if it is not.
std::optional<std::string> work_fault(const Product& product) {
  const std::vector<Dim> dims = distinct_dims(product);
  if (!reaches_limit(dims, 1)) return std::nullopt;
  return fmt::format("the product is too large: {} is 2^62 multiplications or more{}", sizes_text(dims),
                     empty_clause(dims));
}

void fail_if(const std::optional<std::string>& fault) {
  if (fault) fail(*fault);
}

/// As `fail_if`, with the place of a value where there is one.
void fail_if(const std::optional<std::string>& fault, const Program& program, ValueId id) {
  if (!fault) return;
  if (auto place = place_of(program, id)) throw Error(ErrorCode::kInvalidArgument, *fault, *std::move(place));
  fail(*fault);
}

void check_work(const Program& program, const std::vector<ProgramStatement>& statements) {
  for (const ProgramStatement& statement : statements)
    if (const auto* product = std::get_if<ProductStatement>(&statement))
      fail_if(work_fault(product_of(program, *product)), program, product->result);
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
  std::vector<ArrayType*> all = inputs(statement);
  all.push_back(&output(statement));
  if (!set_size_of(all, index, size)) fail(fmt::format("the statement has no index {}", index));
}

void check_sizes(const Statement& statement) {
  for (const ArrayType* input : inputs(statement)) fail_if(size_fault(*input));
  fail_if(size_fault(output(statement)));
  if (const auto* product = std::get_if<Product>(&statement)) fail_if(work_fault(*product));
}

void check_sizes(const ContractStatement& statement) {
  if (const auto* plain = std::get_if<Statement>(&statement.form)) return check_sizes(*plain);
  for (const ArrayType* input : inputs(statement)) fail_if(size_fault(*input));
  fail_if(size_fault(output(statement)));
}

void set_size(Program& program, std::string_view index, std::int64_t size) {
  std::vector<ArrayType*> all;
  for (Value& value : program.values) all.push_back(&value.type);
  if (!set_size_of(all, index, size)) fail(fmt::format("the program has no index {}", index));
  for (ProgramItem& item : program.items)
    if (auto* repeat = std::get_if<Repeat>(&item); repeat != nullptr && repeat->index == index) repeat->count = size;
}

void check_sizes(const Program& program) {
  for (ValueId id = 0; id < static_cast<ValueId>(program.values.size()); ++id)
    fail_if(size_fault(program.value(id).type), program, id);
  for (const ProgramItem& item : program.items) {
    if (const auto* repeat = std::get_if<Repeat>(&item)) {
      if (repeat->count < 1)
        fail(fmt::format("the repeat over {0} has no pass; {0} has size {1}", repeat->index, repeat->count));
      check_work(program, repeat->body);
    } else {
      check_work(program, {std::get<ProgramStatement>(item)});
    }
  }
}

}  // namespace meshmul
