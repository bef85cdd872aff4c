// What programs read and make, and the types of it.

#include "meshmul/program.hpp"

#include "notation/dependence.hpp"

namespace meshmul {

std::vector<Use> uses(const ProgramStatement& statement) {
  if (const auto* product = std::get_if<ProductStatement>(&statement)) return {product->a, product->b};
  if (const auto* map = std::get_if<MapStatement>(&statement)) return map->sources;
  return {{std::get<GradStatement>(statement).cotangent, false}};
}

std::vector<ValueId> results(const ProgramStatement& statement) {
  if (const auto* product = std::get_if<ProductStatement>(&statement)) return {product->result};
  if (const auto* map = std::get_if<MapStatement>(&statement)) return {map->result};
  return std::get<GradStatement>(statement).results;
}

std::vector<ValueId> inputs(const Program& program) {
  std::vector<ValueId> given;
  for (ValueId id = 0; id < static_cast<ValueId>(program.values.size()); ++id)
    if (program.value(id).kind == ValueKind::kGiven) given.push_back(id);
  return given;
}

std::vector<ValueId> outputs(const Program& program) {
  if (program.returned) return *program.returned;
  const std::vector<bool> read = notation::read_values(program);
  const auto is_read = [&](ValueId id) { return read[static_cast<std::size_t>(id)]; };
  std::vector<ValueId> unread;
  for (const ProgramItem& item : program.items) {
    if (const auto* statement = std::get_if<ProgramStatement>(&item)) {
      for (const ValueId id : results(*statement))
        if (!is_read(id)) unread.push_back(id);
    } else {
      // What the last pass has read already is no output either.
      for (const Carry& carry : std::get<Repeat>(item).carries)
        if (!is_read(carry.after) && !is_read(carry.end)) unread.push_back(carry.after);
    }
  }
  return unread;
}

ArrayType type_of(const Program& program, const Use& use) {
  ArrayType type = program.value(use.value).type;
  if (use.sliced) {
    type.dims.erase(type.dims.begin());
    type.sharding.dims.erase(type.sharding.dims.begin());
  }
  return type;
}

Product product_of(const Program& program, const ProductStatement& statement) {
  Product product{type_of(program, statement.a), type_of(program, statement.b), program.value(statement.result).type};
  product.c.dtype = product_dtype(product.a.dtype);
  return product;
}

std::optional<TextPlace> place_of(const Program& program, ValueId id) {
  if (program.text.empty()) return std::nullopt;
  const TextSpan& place = program.value(id).place;
  return TextPlace{program.text, place.offset, place.length};
}

}  // namespace meshmul
