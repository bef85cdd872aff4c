#include "notation/index_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

std::optional<ProductFault> input_fault(const ArrayType& input, const ArrayType& other, const ArrayType& output) {
  for (int d = 0; d < input.num_dims(); ++d) {
    const std::string& index = input.dims[static_cast<std::size_t>(d)].index;
    if (!has_index(other, index) && !has_index(output, index))
      return ProductFault{
          &input, d,
          fmt::format("index {} of {} is in neither {} nor {}; an index of one input alone must be in the output",
                      index, label(input), label(other), label(output))};
  }
  return std::nullopt;
}

/// Every index of `array` must be in `other`, which stands on `side` of the arrow.
void check_subset(const Tokens& tokens, const ParsedArray& array, const ParsedArray& other, std::string_view side) {
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (const std::string& index = array.type.dims[d].index; !has_index(other.type, index))
      tokens.fail(
          array.dims[d].start,
          fmt::format("index {} is not on the {} of '->'; a change of sharding keeps all indices", index, side));
}

std::string first_free_index(const ParsedArray& from, const ParsedArray& to) {
  std::string index = "I";
  while (has_index(from.type, index) || has_index(to.type, index))
    ++index[0];  // at most kMaxDims are taken, so Z is not passed
  return index;
}

/// Dimension `d` has no index on one side at least.
void match_by_position(const Tokens& tokens, ParsedArray& from, ParsedArray& to, std::size_t d) {
  const auto size_alone = [d](const ParsedArray& array) {
    return d < array.dims.size() && array.type.dims[d].index.empty();
  };
  const ParsedArray& nameless = size_alone(from) ? from : to;
  if (!size_alone(from) || !size_alone(to))
    tokens.fail(nameless.dims[d].start,
                fmt::format("{} has a size alone; the other side must have one at the same position",
                            dim_label(nameless.type, static_cast<int>(d))));
  const std::int64_t size = from.type.dims[d].size;
  if (to.type.dims[d].size != size)
    tokens.fail(*to.dims[d].size, fmt::format("{} has size {} on the left; found {}",
                                              dim_label(to.type, static_cast<int>(d)), size, to.type.dims[d].size));
  from.type.dims[d].index = first_free_index(from, to);
  to.type.dims[d].index = from.type.dims[d].index;
}

}  // namespace

bool has_index(const ArrayType& type, const std::string& index) {
  return std::any_of(type.dims.begin(), type.dims.end(), [&](const Dim& dim) { return dim.index == index; });
}

std::optional<ProductFault> product_fault(const ArrayType& a, const ArrayType& b, const ArrayType& c) {
  if (auto fault = input_fault(a, b, c)) return fault;
  if (auto fault = input_fault(b, a, c)) return fault;
  for (int d = 0; d < c.num_dims(); ++d)
    if (const std::string& index = c.dims[static_cast<std::size_t>(d)].index;
        !has_index(a, index) && !has_index(b, index))
      return ProductFault{&c, d,
                          fmt::format("index {} of {} is in neither {} nor {}", index, label(c), label(a), label(b))};
  return std::nullopt;
}

void check_all_named(const Tokens& tokens, const ParsedArray& array) {
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (array.type.dims[d].index.empty())
      tokens.fail(array.dims[d].start,
                  fmt::format("dimensions are matched by index; write I={} with an index of your choice",
                              array.type.dims[d].size));
}

void check_product_indices(const Tokens& tokens, const ParsedArray& a, const ParsedArray& b, const ParsedArray& c) {
  for (const ParsedArray* array : {&a, &b, &c}) check_all_named(tokens, *array);
  const auto fault = product_fault(a.type, b.type, c.type);
  if (!fault) return;
  for (const ParsedArray* array : {&a, &b, &c})
    if (&array->type == fault->array)
      tokens.fail(array->dims[static_cast<std::size_t>(fault->dim)].start, fault->sentence);
}

void match_reshard_indices(const Tokens& tokens, ParsedArray& from, ParsedArray& to) {
  for (std::size_t d = 0; d < std::max(from.dims.size(), to.dims.size()); ++d) {
    const auto nameless = [d](const ParsedArray& array) {
      return d < array.dims.size() && array.type.dims[d].index.empty();
    };
    if (nameless(from) || nameless(to)) match_by_position(tokens, from, to, d);
  }
  check_subset(tokens, to, from, "left");
  check_subset(tokens, from, to, "right");
}

}  // namespace meshmul::notation
