#include "notation/completion.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

/// `A is bf16`, or `A is f32 (no dtype is written)`.
std::string dtype_clause(const ParsedArray& array) {
  return fmt::format("{} is {}{}", label(array.type), name(array.type.dtype),
                     array.dtype ? "" : " (no dtype is written)");
}

}  // namespace

void complete_product_names(const Tokens& tokens, ParsedArray& a, ParsedArray& b, ParsedArray& c) {
  const auto taken = [&](const std::string& name) {
    return a.type.name == name || b.type.name == name || c.type.name == name;
  };
  const auto first_free = [&]() -> std::string { return !taken("A") ? "A" : !taken("B") ? "B" : "C"; };
  for (ParsedArray* array : {&a, &b, &c})
    if (array->type.name.empty()) array->type.name = first_free();
  const ParsedArray* repeated = b.type.name == a.type.name                                 ? &b
                                : c.type.name == a.type.name || c.type.name == b.type.name ? &c
                                                                                           : nullptr;
  if (repeated != nullptr)
    tokens.fail(repeated->start, fmt::format("the name {} is taken; the arrays of a product need three different names",
                                             repeated->type.name));
}

void complete_reshard_names(const Tokens& tokens, ParsedArray& from, ParsedArray& to) {
  if (from.type.name.empty()) from.type.name = to.type.name.empty() ? "A" : to.type.name;
  if (to.type.name.empty()) to.type.name = from.type.name;
  if (to.type.name != from.type.name)
    tokens.fail(to.start, fmt::format("a change of sharding keeps the name; expected {}, found {}", from.type.name,
                                      to.type.name));
}

void complete_product_dtypes(const Tokens& tokens, const ParsedArray& a, ParsedArray& b, ParsedArray& c) {
  if (!b.dtype) b.type.dtype = a.type.dtype;
  if (b.type.dtype != a.type.dtype)
    tokens.fail(*b.dtype, fmt::format("{} but {} is {}; the inputs of a product have one dtype", dtype_clause(a),
                                      label(b.type), name(b.type.dtype)));
  const Dtype result = product_dtype(a.type.dtype);
  if (!c.dtype) c.type.dtype = result;
  if (c.type.dtype != result)
    tokens.fail(*c.dtype, fmt::format("{}, and a product of {} is {}; found {}", dtype_clause(a), name(a.type.dtype),
                                      name(result), name(c.type.dtype)));
}

void complete_reshard_dtypes(const Tokens& tokens, const ParsedArray& from, ParsedArray& to) {
  if (!to.dtype) to.type.dtype = from.type.dtype;
  if (to.type.dtype != from.type.dtype)
    tokens.fail(*to.dtype, fmt::format("{}, and a change of sharding keeps the dtype; found {}", dtype_clause(from),
                                       name(to.type.dtype)));
}

void complete_sizes(const Tokens& tokens, const std::vector<ParsedArray*>& arrays) {
  struct KnownSize {
    std::int64_t size = 0;
    const ParsedArray* array = nullptr;
  };
  std::map<std::string, KnownSize> sizes;
  for (const ParsedArray* array : arrays)
    for (std::size_t d = 0; d < array->dims.size(); ++d) {
      const Dim& dim = array->type.dims[d];
      if (dim.index.empty() || !array->dims[d].size) continue;
      const KnownSize& known = sizes.try_emplace(dim.index, KnownSize{dim.size, array}).first->second;
      if (known.size != dim.size)
        tokens.fail(*array->dims[d].size, fmt::format("index {} already has size {} in {}; found {}", dim.index,
                                                      known.size, label(known.array->type), dim.size));
    }
  for (ParsedArray* array : arrays)
    for (Dim& dim : array->type.dims)
      if (const auto known = sizes.find(dim.index); known != sizes.end()) dim.size = known->second.size;
}

}  // namespace meshmul::notation
