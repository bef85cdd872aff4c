// The lines of a contract: statements as users write them, and elementwise functions with the types of all arrays.

#include "meshmul/contract_statement.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "notation/array_parser.hpp"
#include "notation/completion.hpp"
#include "notation/program_syntax.hpp"
#include "notation/result_type.hpp"
#include "notation/tokens.hpp"

namespace meshmul {
namespace notation {
namespace {

/// True if a '=' stands outside of brackets.
bool is_elementwise(const Tokens& tokens) {
  int depth = 0;
  for (std::size_t i = 0; tokens.peek(i).kind != TokenKind::kEnd; ++i) {
    if (tokens.next_is("[", i) || tokens.next_is("{", i)) ++depth;
    if (tokens.next_is("]", i) || tokens.next_is("}", i)) --depth;
    if (depth == 0 && tokens.next_is("=", i)) return true;
  }
  return false;
}

ParsedArray parse_named_array(Tokens& tokens, const Mesh& mesh) {
  ParsedArray array = parse_array(tokens, mesh);
  if (!array.name) tokens.fail(array.start, "an array of a function has a name");
  for (std::size_t d = 0; d < array.dims.size(); ++d)
    if (array.type.dims[d].index.empty())
      tokens.fail(array.dims[d].start, "the dimensions of the arrays of a function have indices");
  return array;
}

std::vector<ParsedArray> parse_sources(Tokens& tokens, const Mesh& mesh, const ParsedFunction& function) {
  tokens.expect("(", fmt::format("'(' after {}", function.token.text));
  std::vector<ParsedArray> sources;
  while (!tokens.next_is(")")) {
    if (!sources.empty()) tokens.expect(",", fmt::format("',' or ')' in {}", function.token.text));
    sources.push_back(parse_named_array(tokens, mesh));
    if (!sources.back().dtype) sources.back().type.dtype = sources.front().type.dtype;
  }
  check_num_operands(tokens, function, sources.size());
  tokens.expect(")", fmt::format("')' after what {} is applied to", function.token.text));
  return sources;
}

Elementwise parse_elementwise(Tokens& tokens, const Mesh& mesh) {
  ParsedAssignment assignment;
  assignment.target = parse_named_array(tokens, mesh);
  ParsedArray& result = assignment.target;
  tokens.expect("=", "'=' and a function of arrays");
  assignment.expression.function = parse_function(tokens);
  std::vector<ParsedArray> sources = parse_sources(tokens, mesh, *assignment.expression.function);
  if (tokens.peek().kind != TokenKind::kEnd) tokens.fail_expecting("nothing after the function");

  std::vector<ParsedArray*> all{&result};
  for (ParsedArray& source : sources) all.push_back(&source);
  complete_sizes(tokens, all);
  std::vector<Operand> operands;
  for (const ParsedArray& source : sources) operands.push_back({{}, source.type, *source.name});
  result.type = result_type(tokens, assignment, operands);
  Elementwise elementwise{assignment.expression.function->function, {}, result.type};
  for (ParsedArray& source : sources) elementwise.sources.push_back(std::move(source.type));
  return elementwise;
}

}  // namespace
}  // namespace notation

ContractStatement parse_contract_statement(std::string_view text, const Mesh& mesh) {
  notation::Tokens tokens(text);
  if (notation::is_elementwise(tokens)) return notation::parse_elementwise(tokens, mesh);
  return parse_statement(text, mesh);
}

std::string to_string(const ContractStatement& statement, const Mesh& mesh) {
  if (const auto* plain = std::get_if<Statement>(&statement.form)) return to_string(*plain, mesh);
  const auto& [function, sources, result] = std::get<Elementwise>(statement.form);
  std::string text = fmt::format("{} = {}(", to_string(result, mesh), name(function));
  for (std::size_t i = 0; i < sources.size(); ++i) text += (i == 0 ? "" : ", ") + to_string(sources[i], mesh);
  return text + ")";
}

std::vector<const ArrayType*> inputs(const ContractStatement& statement) {
  if (const auto* plain = std::get_if<Statement>(&statement.form)) return inputs(*plain);
  std::vector<const ArrayType*> sources;
  for (const ArrayType& source : std::get<Elementwise>(statement.form).sources) sources.push_back(&source);
  return sources;
}

const ArrayType& output(const ContractStatement& statement) {
  if (const auto* plain = std::get_if<Statement>(&statement.form)) return output(*plain);
  return std::get<Elementwise>(statement.form).result;
}

}  // namespace meshmul
