#include "notation/index_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

bool has_index(const ParsedArray& array, const std::string& index) {
  return std::any_of(array.type.dims.begin(), array.type.dims.end(),
                     [&](const Dim& dim) { return dim.index == index; });
}

void check_all_named(const Tokens& tokens, const ParsedArray& array) {
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (array.type.dims[d].index.empty())
      tokens.fail(array.dims[d].start,
                  fmt::format("a product matches dimensions by index; write I={} with an index of your choice",
                              array.type.dims[d].size));
}

void check_input(const Tokens& tokens, const ParsedArray& input, const ParsedArray& other, const ParsedArray& output) {
  for (std::size_t d = 0; d < input.dims.size(); ++d) {
    const std::string& index = input.type.dims[d].index;
    if (!has_index(other, index) && !has_index(output, index))
      tokens.fail(
          input.dims[d].start,
          fmt::format("index {} of {} is in neither {} nor {}; an index of one input alone must be in the output",
                      index, label(input.type), label(other.type), label(output.type)));
  }
}

/// Every index of `array` must be in `other`, which stands on `side` of the arrow.
void check_subset(const Tokens& tokens, const ParsedArray& array, const ParsedArray& other, std::string_view side) {
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (const std::string& index = array.type.dims[d].index; !has_index(other, index))
      tokens.fail(
          array.dims[d].start,
          fmt::format("index {} is not on the {} of '->'; a change of sharding keeps all indices", index, side));
}

std::string first_free_index(const ParsedArray& from, const ParsedArray& to) {
  std::string index = "I";
  while (has_index(from, index) || has_index(to, index)) ++index[0];  // at most kMaxDims are taken, so Z is not passed
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

void check_product_indices(const Tokens& tokens, const ParsedArray& a, const ParsedArray& b, const ParsedArray& c) {
  for (const ParsedArray* array : {&a, &b, &c}) check_all_named(tokens, *array);
  check_input(tokens, a, b, c);
  check_input(tokens, b, a, c);
  for (std::size_t d = 0; d < c.dims.size(); ++d)
    if (const std::string& index = c.type.dims[d].index; !has_index(a, index) && !has_index(b, index))
      tokens.fail(c.dims[d].start, fmt::format("index {} of {} is in neither {} nor {}", index, label(c.type),
                                               label(a.type), label(b.type)));
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
