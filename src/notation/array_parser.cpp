#include "notation/array_parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/did_you_mean.hpp"
#include "meshmul/statement.hpp"
#include "notation/axes_parser.hpp"
#include "notation/print.hpp"
#include "notation/size_limit.hpp"

namespace meshmul {
namespace notation {
namespace {

class ArrayParser {
 public:
  ArrayParser(Tokens& tokens, const Mesh& mesh) : tokens_(tokens), mesh_(mesh) {}

  ParsedArray parse() {
    parse_words();
    const bool has_words = array_.dtype || array_.name;
    tokens_.expect("[", has_words ? "'[' and the dimensions of the array" : "an array such as bf16 A[I_X, J]");
    parse_brackets();
    return std::move(array_);
  }

  ParsedArray parse_with_or_without_brackets() {
    parse_words();
    if (tokens_.accept("[")) {
      parse_brackets();
      return std::move(array_);
    }
    if (!array_.name) parse_lone_name();
    if (!tokens_.next_is("="))
      tokens_.fail_expecting(fmt::format("'[' and the dimensions of {0}, or '=' and what {0} is", type().name));
    array_.has_dims = false;
    return std::move(array_);
  }

 private:
  void parse_brackets() {
    if (!tokens_.accept("]")) {
      do parse_dim();
      while (tokens_.accept(","));
      tokens_.expect("]", "',' or ']' after a dimension");
    }
    if (tokens_.accept("{")) parse_unreduced();
    if (tokens_.next_is("?")) parse_open();
  }

  void parse_words() {
    array_.start = tokens_.peek();
    if (tokens_.peek().kind != TokenKind::kWord) return;
    const Token first = tokens_.take();
    const std::optional<Dtype> dtype = parse_dtype(first.text);
    const bool two_words = tokens_.peek().kind == TokenKind::kWord;
    if (two_words && !dtype) fail_dtype(first);
    if (dtype) {
      type().dtype = *dtype;
      array_.dtype = first;
    }
    if (two_words) array_.name = tokens_.take();
    if (!two_words && !dtype) array_.name = first;
    if (array_.name) type().name = array_.name->text;
  }

  /// Without brackets, a single word is a name even if it could be a dtype.
  void parse_lone_name() {
    array_.name = std::exchange(array_.dtype, std::nullopt);
    type().name = array_.name->text;
    type().dtype = Dtype::kF32;
  }

  [[noreturn]] void fail_dtype(const Token& token) {
    std::vector<std::string> names;
    for (const Dtype dtype : kAllDtypes) names.emplace_back(name(dtype));
    tokens_.fail(token, fmt::format("{} is not a dtype; expected one of {}{}", token.text, fmt::join(names, ", "),
                                    did_you_mean(token.text, names)));
  }

  void parse_dim() {
    const Token start = tokens_.peek();
    if (start.kind != TokenKind::kWord && start.kind != TokenKind::kNumber)
      tokens_.fail_expecting("an index such as I or I=1024, or a size");
    if (type().num_dims() == kMaxDims)
      tokens_.fail(start, fmt::format("{} has more than {} dimensions, the most that an array can have", label(type()),
                                      kMaxDims));
    Dim dim;
    DimPlace place{start, std::nullopt};
    if (start.kind == TokenKind::kWord) {
      dim.index = tokens_.take().text;
      check_index(start);
    }
    if (start.kind == TokenKind::kNumber || tokens_.accept("=")) {
      if (tokens_.peek().kind != TokenKind::kNumber)
        tokens_.fail_expecting(fmt::format("the size of index {}, a whole number", dim.index));
      place.size = tokens_.take();
      dim.size = parse_size(*place.size);
    }
    type().dims.push_back(dim);
    array_.dims.push_back(place);
    type().sharding.dims.emplace_back();
    if (tokens_.accept("_")) parse_dim_axes(start);
  }

  void check_index(const Token& index) {
    for (const Dim& dim : type().dims)
      if (dim.index == index.text)
        tokens_.fail(index, fmt::format("index {} is already a dimension of {}; an index can be used once per array",
                                        index.text, label(type())));
  }

  std::int64_t parse_size(const Token& token) {
    std::int64_t size = 0;
    const auto [end, status] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), size);
    if (status != std::errc() || size > kMaxSize)
      tokens_.fail(token, fmt::format("size {} is too large; sizes go up to {}", token.text, kMaxSize));
    return size;
  }

  void parse_dim_axes(const Token& owner) {
    for (const AxisUse& use : parse_axes(tokens_, mesh_, owner.text)) {
      check_unused(use);
      type().sharding.dims.back().push_back(use.axis);
    }
  }

  void parse_unreduced() {
    if (tokens_.peek().text != "U" || !tokens_.next_is("_", 1))
      tokens_.fail_expecting("U_ and mesh axes after '{', as in {U_X}");
    tokens_.take();
    tokens_.take();
    for (const AxisUse& use : parse_axes(tokens_, mesh_, "U")) {
      check_unused(use);
      type().sharding.unreduced.push_back(use.axis);
    }
    std::sort(type().sharding.unreduced.begin(), type().sharding.unreduced.end());
    tokens_.expect("}", "'}' after the axes of {U_…}");
  }

  void check_unused(const AxisUse& use) {
    const std::string earlier_use = use_of_axis(type(), use.axis);
    if (!earlier_use.empty())
      tokens_.fail(use.token, fmt::format("mesh axis {} {}; an axis can be used once per array", mesh_.name(use.axis),
                                          earlier_use));
  }

  void parse_open() {
    const Token mark = tokens_.take();
    const Sharding none = Sharding::replicated(type().num_dims());
    if (type().sharding != none)
      tokens_.fail(mark, fmt::format("'?' leaves the sharding of {} to the planner, but its axes are written: {}",
                                     label(type()), short_text(type(), mesh_)));
    type().open = true;
  }

  ArrayType& type() { return array_.type; }

  Tokens& tokens_;
  const Mesh& mesh_;
  ParsedArray array_;
};

}  // namespace

ParsedArray parse_array(Tokens& tokens, const Mesh& mesh) { return ArrayParser(tokens, mesh).parse(); }

ParsedArray parse_array_or_name(Tokens& tokens, const Mesh& mesh) {
  return ArrayParser(tokens, mesh).parse_with_or_without_brackets();
}

}  // namespace notation

ArrayType parse_array(std::string_view text, const Mesh& mesh) {
  notation::Tokens tokens(text);
  const notation::ParsedArray array = notation::parse_array(tokens, mesh);
  if (tokens.peek().kind != notation::TokenKind::kEnd) tokens.fail_expecting("nothing after the array");
  return array.type;
}

}  // namespace meshmul
