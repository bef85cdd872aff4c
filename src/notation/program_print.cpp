// The text form of programs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "meshmul/program.hpp"

namespace meshmul {
namespace {

class ProgramPrinter {
 public:
  ProgramPrinter(const Program& program, const Mesh& mesh) : program_(program), mesh_(mesh) {}

  std::string text() const {
    std::string text;
    for (const Value& value : program_.values)
      if (value.kind == ValueKind::kGiven && !value.like) text += declaration(value);
    for (const ProgramItem& item : program_.items) {
      if (const auto* repeat = std::get_if<Repeat>(&item))
        text += loop(*repeat);
      else
        text +=
            std::visit([this](const auto& statement) { return line(statement, ""); }, std::get<ProgramStatement>(item));
    }
    return text;
  }

 private:
  std::string declaration(const Value& value) const {
    const std::string tensor = value.tensor.empty() ? "" : fmt::format(" = \"{}\"", value.tensor);
    return fmt::format("{}{}\n", to_string(value.type, mesh_), tensor);
  }

  std::string loop(const Repeat& repeat) const {
    std::string text =
        fmt::format("repeat {} as {}{} {{\n", repeat.index, repeat.variable, repeat.reversed ? " reversed" : "");
    for (const Carry& carry : repeat.carries) text += stack(carry.begin, repeat);
    for (const ProgramStatement& statement : repeat.body) {
      text += "  " + std::visit([&](const auto& kind) { return line(kind, repeat.variable); }, statement);
      text += stack(results(statement).front(), repeat);
    }
    return text + "}\n";
  }

  /// What is kept of `slice`, as far as anything is: `Hs[l] = H`.
  std::string stack(ValueId slice, const Repeat& repeat) const {
    for (const Stack& stack : repeat.stacks)
      if (stack.slice == slice)
        return fmt::format("  {}[{}] = {}\n", name_of(stack.whole), repeat.variable, name_of(slice));
    return "";
  }

  std::string line(const ProductStatement& statement, const std::string& variable) const {
    const std::string product = fmt::format("{} * {}", use(statement.a, variable), use(statement.b, variable));
    return assignment(statement.result,
                      statement.function ? fmt::format("{}({})", name(*statement.function), product) : product);
  }

  std::string line(const MapStatement& statement, const std::string& variable) const {
    std::vector<std::string> sources;
    for (const Use& source : statement.sources) sources.push_back(use(source, variable));
    return assignment(statement.result, fmt::format("{}({})", name(statement.function), fmt::join(sources, ", ")));
  }

  std::string line(const GradStatement& statement, const std::string&) const {
    std::vector<std::string> results;
    for (const ValueId id : statement.results) results.push_back(name_of(id));
    return fmt::format("grad {}({}) -> {}\n", name_of(statement.of), name_of(statement.cotangent),
                       fmt::join(results, ", "));
  }

  std::string assignment(ValueId result, const std::string& expression) const {
    const auto& [type, kind, like, tensor, is_cotangent, place] = program_.value(result);
    if (!like) return fmt::format("{} = {}\n", to_string(type, mesh_), expression);
    ArrayType unsharded = type;
    unsharded.sharding = Sharding::replicated(type.num_dims());
    unsharded.open = false;
    return fmt::format("{} = {} like {}\n", to_string(unsharded, mesh_), expression, name_of(*like));
  }

  std::string use(const Use& use, const std::string& variable) const {
    return use.sliced ? fmt::format("{}[{}]", name_of(use.value), variable) : name_of(use.value);
  }

  const std::string& name_of(ValueId id) const { return program_.value(id).type.name; }

  const Program& program_;
  const Mesh& mesh_;
};

}  // namespace

std::string to_string(const Program& program, const Mesh& mesh) { return ProgramPrinter(program, mesh).text(); }

}  // namespace meshmul
