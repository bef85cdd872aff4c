// Reads the lines of a program: declarations, assignments, statements, gradients and loops.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/did_you_mean.hpp"
#include "notation/index_rules.hpp"
#include "notation/program_syntax.hpp"
#include "notation/statement_parser.hpp"

namespace meshmul::notation {
namespace {

constexpr std::array<std::string_view, 3> kReserved{"repeat", "grad", "like"};

class ItemParser {
 public:
  ItemParser(Tokens& tokens, const Mesh& mesh, Dtype default_dtype)
      : tokens_(tokens), mesh_(mesh), default_dtype_(default_dtype) {}

  std::vector<ParsedItem> parse() {
    while (tokens_.peek().kind != TokenKind::kEnd) {
      parse_item();
      expect_line_end();
    }
    return std::move(items_);
  }

 private:
  void parse_item() {
    if (tokens_.next_is("}")) tokens_.fail(tokens_.peek(), "no repeat is open that this '}' could close");
    if (is_word("repeat")) return add(parse_repeat());
    if (is_word("grad")) return add(parse_grad());
    refuse_misspelt_keyword();
    ParsedArray array = parse_array_or_name();
    if (!tokens_.accept("=")) return parse_statement_or_declaration(std::move(array));
    if (tokens_.peek().kind == TokenKind::kText) return parse_stored(std::move(array));
    add(parse_assignment(std::move(array)));
  }

  // A repeat of assignments. Inside, a '}' may end the line.
  ParsedRepeat parse_repeat() {
    tokens_.take();
    ParsedRepeat repeat;
    repeat.index = expect_word("the index that the repeat walks, as in repeat L as l", "as");
    if (!is_word("as"))
      tokens_.fail_expecting(fmt::format("'as' and a variable, as in repeat {} as l", repeat.index.text));
    tokens_.take();
    repeat.variable = expect_word("the variable of the repeat");
    const Token brace = tokens_.peek();
    tokens_.expect("{", "'{' and the statements of the repeat");
    while (!tokens_.accept("}")) {
      if (tokens_.peek().kind == TokenKind::kEnd)
        tokens_.fail(brace, "this '{' is not closed; expected '}' before the end");
      repeat.body.push_back(parse_body_line());
      if (!tokens_.next_is("}")) expect_line_end();
    }
    return repeat;
  }

  ParsedAssignment parse_body_line() {
    if (is_word("repeat")) tokens_.fail(tokens_.peek(), "a repeat cannot stand in another one");
    if (is_word("grad")) tokens_.fail(tokens_.peek(), "grad cannot stand in a repeat");
    ParsedArray array = parse_array_or_name();
    if (!tokens_.next_is("=") || tokens_.peek(1).kind == TokenKind::kText)
      tokens_.fail(array.start,
                   fmt::format("a repeat holds lines such as H = X * W; declare {} before it", array.name->text));
    tokens_.take();
    return parse_assignment(std::move(array));
  }

  ParsedGrad parse_grad() {
    tokens_.take();
    ParsedGrad grad;
    grad.of = expect_word("the array to take gradients of, as in grad Y(dY) -> dX");
    tokens_.expect("(", fmt::format("'(' and the cotangent of {0}, as in grad {0}(d{0}) -> dX", grad.of.text));
    grad.cotangent = expect_word(fmt::format("the cotangent of {}", grad.of.text));
    tokens_.expect(")", "')' after the cotangent");
    tokens_.expect("->", "'->' and the gradients");
    do grad.results.push_back(expect_word("the name of a gradient, such as dX"));
    while (tokens_.accept(","));
    return grad;
  }

  void parse_stored(ParsedArray array) {
    if (!array.has_dims)
      tokens_.fail(*array.name, fmt::format("an array that is read from a file is declared with its dimensions: {}[…]",
                                            array.type.name));
    const Token quoted = tokens_.take();
    const std::string_view tensor = quoted.text.substr(1, quoted.text.size() - 2);
    check_tensor(quoted, tensor);
    if (array.dims.empty() && tensor.find('{') != std::string_view::npos)
      tokens_.fail(quoted, fmt::format("{} has no dimension along which there could be a tensor for each slice",
                                       array.type.name));
    if (!array.dtype) array.type.dtype = default_dtype();
    declare(std::move(array), std::string(tensor));
  }

  /// At most one word in braces.
  void check_tensor(const Token& quoted, std::string_view tensor) const {
    if (tensor.empty()) tokens_.fail(quoted, "the name of a tensor is empty");
    const std::size_t open = tensor.find_first_of("{}");
    if (open == std::string_view::npos) return;
    const std::string_view rest = tensor.substr(open + 1);
    const std::size_t close = rest.find_first_of("{}");
    const bool one_pair = tensor[open] == '{' && close != std::string_view::npos && rest[close] == '}' &&
                          rest.find_first_of("{}", close + 1) == std::string_view::npos;
    const Tokens inside(one_pair ? rest.substr(0, close) : "");
    if (inside.peek().kind != TokenKind::kWord || inside.peek(1).kind != TokenKind::kEnd)
      tokens_.fail(quoted,
                   "braces in the name of a tensor stand once, around a word for the number of the slice, as in "
                   "\"layers.{l}.up\"");
  }

  /// The '=' has been taken.
  ParsedAssignment parse_assignment(ParsedArray target) {
    ParsedAssignment assignment{std::move(target), parse_expression(tokens_), std::nullopt};
    if (!is_word("like")) return assignment;
    const Token like = tokens_.take();
    assignment.like = expect_word("the array that it is to lie like");
    if (const ArrayType& type = assignment.target.type;
        type.open || type.sharding != Sharding::replicated(type.num_dims()))
      tokens_.fail(like,
                   fmt::format("like {} says how {} lies, and so do the axes or the '?' after its name; leave one out",
                               assignment.like->text, type.name));
    return assignment;
  }

  /// A statement declares its inputs and makes its output.
  void parse_statement_or_declaration(ParsedArray first) {
    if (!first.dtype) first.type.dtype = default_dtype();
    if (tokens_.next_is("*")) {
      auto [a, b, c] = parse_product(tokens_, mesh_, std::move(first));
      for (const ParsedArray* array : {&b, &c}) check(*array);
      ParsedExpression product{true, std::nullopt, {{*a.name, {}}, {*b.name, {}}}};
      declare(std::move(a));
      declare(std::move(b));
      return add(ParsedAssignment{std::move(c), std::move(product), std::nullopt});
    }
    if (tokens_.next_is("->")) {
      const Token arrow = tokens_.peek();
      auto [from, to] = parse_reshard(tokens_, mesh_, std::move(first));
      check(to);
      ParsedExpression copy{false, ParsedFunction{MapFunction::kConvert, arrow}, {{*from.name, {}}}};
      declare(std::move(from));
      return add(ParsedAssignment{std::move(to), std::move(copy), std::nullopt});
    }
    declare(std::move(first));
  }

  void declare(ParsedArray array, std::string tensor = "") {
    if (!first_dtype_) first_dtype_ = array.type.dtype;
    add(ParsedDeclaration{std::move(array), std::move(tensor)});
  }

  /// Of arrays that are declared without one: that of the first array.
  Dtype default_dtype() const { return first_dtype_.value_or(default_dtype_); }

  /// What a line begins with that is no repeat and no grad.
  ParsedArray parse_array_or_name() {
    const Token first = tokens_.peek();
    if (first.kind != TokenKind::kWord && !tokens_.next_is("["))
      tokens_.fail(first, fmt::format("expected a line such as bf16 X[B, D] or H = X * W; found '{}'", first.text));
    const Token& second = tokens_.peek(1);
    if (first.kind == TokenKind::kWord && second.kind == TokenKind::kWord && second.first_in_line) {
      tokens_.take();
      tokens_.fail_expecting(fmt::format("'[' and the dimensions of {0}, or '=' and what {0} is", first.text));
    }
    ParsedArray array = notation::parse_array_or_name(tokens_, mesh_);
    check(array);
    return array;
  }

  /// Every array of a program has a name that is not reserved, and an index in every dimension.
  void check(const ParsedArray& array) const {
    if (!array.name) tokens_.fail(array.start, "every array of a program has a name; expected one in front of '['");
    if (std::find(kReserved.begin(), kReserved.end(), array.name->text) != kReserved.end())
      tokens_.fail(*array.name,
                   fmt::format("{} is a word of the notation and cannot be the name of an array", array.name->text));
    check_all_named(tokens_, array);
  }

  /// Two words in front of no bracket are a misspelt `repeat L` or `grad Y`, if the first is no dtype.
  void refuse_misspelt_keyword() const {
    if (tokens_.peek().kind != TokenKind::kWord || tokens_.peek(1).kind != TokenKind::kWord) return;
    const auto keyword = closest_word(tokens_.peek().text, {"repeat", "grad"});
    if (keyword && !parse_dtype(tokens_.peek().text) && !tokens_.next_is("[", 2))
      tokens_.fail(tokens_.peek(), fmt::format("{} begins no line; did you mean {}?", tokens_.peek().text, *keyword));
  }

  void expect_line_end() const {
    const Token& next = tokens_.peek();
    if (next.kind != TokenKind::kEnd && !next.first_in_line) tokens_.fail_expecting("the end of the line");
  }

  bool is_word(std::string_view word) const {
    return tokens_.peek().kind == TokenKind::kWord && tokens_.peek().text == word;
  }

  /// Any word but `other`.
  Token expect_word(std::string_view expected, std::string_view other = "") {
    if (tokens_.peek().kind != TokenKind::kWord || is_word(other)) tokens_.fail_expecting(expected);
    return tokens_.take();
  }

  void add(ParsedItem item) { items_.push_back(std::move(item)); }

  Tokens& tokens_;
  const Mesh& mesh_;
  Dtype default_dtype_;
  std::optional<Dtype> first_dtype_;
  std::vector<ParsedItem> items_;
};

}  // namespace

std::vector<ParsedItem> parse_items(Tokens& tokens, const Mesh& mesh, Dtype default_dtype) {
  return ItemParser(tokens, mesh, default_dtype).parse();
}

}  // namespace meshmul::notation
