// Reads a program: its lines, then the sizes that hold in all of it, then what its names stand for.

#include <algorithm>
#include <vector>

#include "meshmul/program.hpp"
#include "notation/completion.hpp"
#include "notation/program_builder.hpp"
#include "notation/program_syntax.hpp"
#include "notation/tokens.hpp"

namespace meshmul {
namespace notation {
namespace {

/// Every array that is written with its dimensions, in the order of the text.
std::vector<ParsedArray*> written_arrays(std::vector<ParsedItem>& items) {
  std::vector<ParsedArray*> arrays;
  for (ParsedItem& item : items) {
    if (auto* declaration = std::get_if<ParsedDeclaration>(&item)) arrays.push_back(&declaration->array);
    if (auto* assignment = std::get_if<ParsedAssignment>(&item)) arrays.push_back(&assignment->target);
    if (auto* repeat = std::get_if<ParsedRepeat>(&item))
      for (ParsedAssignment& assignment : repeat->body) arrays.push_back(&assignment.target);
  }
  return arrays;
}

bool is_declaration(const ParsedItem& item) { return std::holds_alternative<ParsedDeclaration>(item); }

}  // namespace
}  // namespace notation

Program parse_program(std::string_view text, const Mesh& mesh, Dtype default_dtype) {
  notation::Tokens tokens(text);
  std::vector<notation::ParsedItem> items = notation::parse_items(tokens, mesh, default_dtype);
  if (std::all_of(items.begin(), items.end(), notation::is_declaration))
    tokens.fail_expecting(items.empty() ? "the declaration of an array, such as bf16 X[B=128, D=8192]"
                                        : "a line that makes an array, such as H = X * W");
  notation::complete_sizes(tokens, notation::written_arrays(items));
  return notation::ProgramBuilder(tokens, text, items).build();
}

}  // namespace meshmul
