// Reads a way: statements between semicolons, each checked against what the ones before it left.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "meshmul/way.hpp"
#include "notation/array_parser.hpp"
#include "notation/collective_parser.hpp"
#include "notation/completion.hpp"
#include "notation/index_rules.hpp"
#include "notation/print.hpp"
#include "plan/way/local_product.hpp"
#include "plan/way/single_move.hpp"

namespace meshmul {
namespace {

using notation::ParsedArray;
using notation::ParsedCollective;
using notation::Token;
using notation::TokenKind;
using notation::Tokens;

bool same_indices(const ArrayType& a, const ArrayType& b) {
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const Dim& x, const Dim& y) { return x.index == y.index; });
}

class WayParser {
 public:
  WayParser(std::string_view text, const Mesh& mesh, Dtype default_dtype)
      : tokens_(text),
        has_several_steps_(text.find(';') != std::string_view::npos),
        mesh_(mesh),
        dtype_(default_dtype) {}

  Way parse() {
    do parse_step();
    while (tokens_.accept(";"));
    if (tokens_.peek().kind != TokenKind::kEnd) tokens_.fail_expecting("';' and another step, or nothing");
    complete_sizes(tokens_, arrays());
    Way way;
    for (const Step& step : steps_) way.steps.push_back(statement(step));
    return way;
  }

 private:
  /// The arrays of a step in the order written; a collective has one.
  struct Step {
    std::vector<ParsedArray> arrays;
    std::optional<ParsedCollective> collective;
  };

  void parse_step() {
    const Token start = tokens_.peek();
    const bool is_first = steps_.empty();
    if (notation::is_collective(tokens_)) {
      parse_collective_step();
      return;
    }
    const bool has_to_slice = start.text == "slice" && tokens_.peek(1).kind == TokenKind::kWord;
    if (has_to_slice) tokens_.take();
    ParsedArray first = parse_array();
    if (is_first && first.dtype) dtype_ = first.type.dtype;
    if (!has_to_slice && tokens_.accept("*")) {
      parse_product_step(std::move(first));
      return;
    }
    tokens_.expect("->",
                   has_to_slice ? "'->' and the sliced array" : "'*' and a second array, or '->' and another sharding");
    parse_reshard_step(std::move(first), has_to_slice ? std::optional(start) : std::nullopt);
  }

  void parse_collective_step() {
    ParsedCollective parsed = notation::parse_collective(tokens_, mesh_);
    require_indices(parsed.array);
    if (steps_.empty() && parsed.array.dtype) dtype_ = parsed.array.type.dtype;
    take_up(parsed.array, dtype_);
    const ArrayType result = parsed.collective().to;
    known_[result.name] = result;
    steps_.push_back({{}, std::move(parsed)});
  }

  void parse_product_step(ParsedArray a) {
    ParsedArray b = parse_array();
    tokens_.expect("->", "'->' and the output of the product");
    ParsedArray c = parse_array();
    complete_product_names(tokens_, a, b, c);
    check_product_indices(tokens_, a, b, c);
    take_up(a, dtype_);
    take_up(b, a.type.dtype);
    complete_product_dtypes(tokens_, a, b, c);
    check_local_product(a, b, c);
    if (known_.contains(c.type.name))
      tokens_.fail(c.start, fmt::format("{} is there already; a product makes a new array", c.type.name));
    known_[c.type.name] = c.type;
    steps_.push_back({{std::move(a), std::move(b), std::move(c)}, {}});
  }

  void check_local_product(const ParsedArray& a, const ParsedArray& b, const ParsedArray& c) {
    refuse_open(c);
    const Product product{a.type, b.type, c.type};
    if (const auto fault = local_product_fault(product, mesh_)) tokens_.fail(b.start, *fault);
    ArrayType given = c.type;
    given.sharding = local_product_sharding(product);
    if (given.sharding != c.type.sharding)
      tokens_.fail(c.start, fmt::format("the shards of {} and {} give {}; found {}", a.type.name, b.type.name,
                                        notation::short_text(given, mesh_), notation::short_text(c.type, mesh_)));
  }

  void parse_reshard_step(ParsedArray from, const std::optional<Token>& slice) {
    ParsedArray to = parse_array();
    refuse_open(to);
    complete_reshard_names(tokens_, from, to);
    match_reshard_indices(tokens_, from, to);
    take_up(from, dtype_);
    complete_reshard_dtypes(tokens_, from, to);
    check_single_move(from, to, slice);
    known_[to.type.name] = to.type;
    steps_.push_back({{std::move(from), std::move(to)}, {}});
  }

  void check_single_move(ParsedArray from, ParsedArray to, const std::optional<Token>& slice) {
    complete_sizes(tokens_, {&from, &to});
    const std::optional<Transition> move = single_move(from.type, to.type, axes_);
    if (slice && (!move || move->kind != MoveKind::kSlice))
      tokens_.fail(*slice, fmt::format("this does not slice: {} -> {} moves data",
                                       notation::short_text(from.type, mesh_), notation::short_text(to.type, mesh_)));
    if (!move)
      tokens_.fail(to.start, fmt::format("no single move leads from {} to {}; write the steps",
                                         notation::short_text(from.type, mesh_), notation::short_text(to.type, mesh_)));
  }

  /// Sizes are matched by index over all steps, so there has to be one.
  void require_indices(const ParsedArray& array) {
    for (const notation::DimPlace& dim : array.dims)
      if (has_several_steps_ && dim.start.kind == TokenKind::kNumber)
        tokens_.fail(dim.start, fmt::format("several steps match dimensions by index; write I={} with an index of your "
                                            "choice",
                                            dim.start.text));
  }

  ParsedArray parse_array() {
    ParsedArray array = notation::parse_array(tokens_, mesh_);
    require_indices(array);
    return array;
  }

  std::vector<ParsedArray*> arrays() {
    std::vector<ParsedArray*> all;
    for (Step& step : steps_) {
      if (step.collective) all.push_back(&step.collective->array);
      for (ParsedArray& array : step.arrays) all.push_back(&array);
    }
    return all;
  }

  static Statement statement(const Step& step) {
    if (step.collective) return step.collective->collective();
    if (step.arrays.size() == 2) return Reshard{step.arrays[0].type, step.arrays[1].type};
    return Product{step.arrays[0].type, step.arrays[1].type, step.arrays[2].type};
  }

  /// The array as the steps so far left it. If none has it, it is an input, by default of `dtype`.
  void take_up(ParsedArray& array, Dtype dtype) {
    refuse_open(array);
    ArrayType& type = array.type;
    const auto known = known_.find(type.name);
    if (known == known_.end()) {
      if (!array.dtype) type.dtype = dtype;
      known_[type.name] = type;
      return;
    }
    const ArrayType& left = known->second;
    if (!same_indices(left, type) || left.sharding != type.sharding)
      tokens_.fail(array.start, fmt::format("{} is {} by now; found {}", type.name, notation::short_text(left, mesh_),
                                            notation::short_text(type, mesh_)));
    if (array.dtype && type.dtype != left.dtype)
      tokens_.fail(*array.dtype, fmt::format("{} is {}; found {}", type.name, name(left.dtype), name(type.dtype)));
    type.dtype = left.dtype;
    array.dtype = array.start;  // as good as written: nothing else may decide it
  }

  void refuse_open(const ParsedArray& array) {
    if (array.type.open)
      tokens_.fail(array.start, fmt::format("{} has an open sharding (?), but steps are priced as they are written",
                                            notation::label(array.type)));
  }

  Tokens tokens_;
  bool has_several_steps_;
  const Mesh& mesh_;
  AxisNumbering axes_{mesh_};
  Dtype dtype_;  ///< of arrays without one
  std::vector<Step> steps_;
  std::map<std::string, ArrayType> known_;
};

}  // namespace

Way parse_way(std::string_view text, const Mesh& mesh, Dtype default_dtype) {
  return WayParser(text, mesh, default_dtype).parse();
}

}  // namespace meshmul
