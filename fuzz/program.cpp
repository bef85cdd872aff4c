// Fuzzes programs: the first line of an input is a mesh, the rest the text of a .mm file.

#include "meshmul/program.hpp"

#include <variant>

#include "lines.hpp"

namespace meshmul::fuzz {
namespace {

/// What planning begins with.
void use_statement(const Program& program, const ProgramStatement& statement) {
  for (const Use& use : uses(statement)) type_of(program, use);
  for (const ValueId result : results(statement)) {
    const std::optional<TextPlace> place = place_of(program, result);
    expect(place && place->offset + place->length <= program.text.size(), "a value has a place in the text");
  }
  if (const auto* product = std::get_if<ProductStatement>(&statement)) index_roles(product_of(program, *product));
}

void use_program(const Program& program) {
  for (const ValueId input : inputs(program))
    expect(program.value(input).kind == ValueKind::kGiven, "inputs are given");
  for (const ValueId output : outputs(program))
    expect(program.value(output).kind != ValueKind::kGiven, "outputs are made");
  for (const ProgramItem& item : program.items) {
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const ProgramStatement& statement : repeat->body) use_statement(program, statement);
    else
      use_statement(program, std::get<ProgramStatement>(item));
  }
  if (const std::optional<Statement> single = to_statement(program))
    expect(to_program(*single).has_value(), "the statement of a program is a program");
}

}  // namespace
}  // namespace meshmul::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace meshmul;
  std::string_view text = fuzz::as_text(data, size);
  const std::optional<Mesh> mesh = fuzz::take_mesh(text);
  if (!mesh) return 0;
  const auto read = [&](std::string_view program) { return parse_program(program, *mesh); };
  const auto program = fuzz::read_or_refuse([&] { return read(text); });
  if (!program) return 0;
  fuzz::expect_round_trip(*program, [&](const Program& value) { return to_string(value, *mesh); }, read);
  fuzz::use_program(*program);
  fuzz::ask([&] { check_sizes(*program); });
  return 0;
}
