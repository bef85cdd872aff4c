// Programs of one statement, and statements as programs.

#include <algorithm>
#include <utility>

#include "meshmul/program.hpp"

namespace meshmul {
namespace {

bool is_named(const ArrayType& type) {
  return !type.name.empty() &&
         std::none_of(type.dims.begin(), type.dims.end(), [](const Dim& dim) { return dim.index.empty(); });
}

Value value_of(const ArrayType& type, ValueKind kind) {
  Value value;
  value.type = type;
  value.kind = kind;
  return value;
}

/// Whether values say no more than their types.
bool are_plain(const std::vector<Value>& values) {
  return std::none_of(values.begin(), values.end(),
                      [](const Value& value) { return value.like || !value.tensor.empty(); });
}

std::optional<Statement> product_statement(const Program& program, const ProductStatement& statement) {
  Product product = product_of(program, statement);
  const bool is_plain = program.values.size() == 3 && !statement.function && statement.a.value != statement.b.value;
  const bool has_three_names = product.c.name != product.a.name && product.c.name != product.b.name;
  return is_plain && has_three_names ? std::optional<Statement>(std::move(product)) : std::nullopt;
}

std::optional<Statement> reshard_statement(const Program& program, const MapStatement& statement) {
  if (statement.function != MapFunction::kConvert) return std::nullopt;
  Reshard reshard{type_of(program, statement.sources[0]), program.value(statement.result).type};
  const bool keeps_name_and_dtype = reshard.from.name == reshard.to.name && reshard.from.dtype == reshard.to.dtype;
  return keeps_name_and_dtype ? std::optional<Statement>(std::move(reshard)) : std::nullopt;
}

}  // namespace

std::optional<Program> to_program(const Statement& statement) {
  Program program;
  for (const ArrayType* input : inputs(statement)) program.values.push_back(value_of(*input, ValueKind::kGiven));
  program.values.push_back(value_of(output(statement), ValueKind::kMade));
  if (std::holds_alternative<Product>(statement))
    program.items.emplace_back(ProductStatement{{0, false}, {1, false}, std::nullopt, 2});
  else if (std::holds_alternative<Reshard>(statement))
    program.items.emplace_back(MapStatement{MapFunction::kConvert, {{0, false}}, 1});
  else
    return std::nullopt;
  const bool all_named = std::all_of(program.values.begin(), program.values.end(),
                                     [](const Value& value) { return is_named(value.type); });
  return all_named ? std::optional(std::move(program)) : std::nullopt;
}

std::optional<Statement> to_statement(const Program& program) {
  if (program.items.size() != 1 || !are_plain(program.values)) return std::nullopt;
  const auto* statement = std::get_if<ProgramStatement>(&program.items[0]);
  if (statement == nullptr) return std::nullopt;
  if (const auto* product = std::get_if<ProductStatement>(statement)) return product_statement(program, *product);
  if (const auto* map = std::get_if<MapStatement>(statement)) return reshard_statement(program, *map);
  return std::nullopt;
}

}  // namespace meshmul
