#include "notation/program_builder.hpp"

#include <fmt/format.h>

#include <utility>

namespace meshmul::notation {

ProgramBuilder::ProgramBuilder(const Tokens& tokens, std::string_view text, const std::vector<ParsedItem>& items)
    : tokens_(tokens), items_(items), names_(tokens, items) {
  program_.text = text;
}

Program ProgramBuilder::build() {
  declare_all();
  for (const ParsedItem& item : items_) std::visit(*this, item);
  check_all_read();
  copy_shardings();
  return std::move(program_);
}

ValueId ProgramBuilder::add(Value value, const Token& place) {
  value.place = {place.offset, place.text.size()};
  program_.values.push_back(std::move(value));
  places_.push_back(place);
  return static_cast<ValueId>(program_.values.size()) - 1;
}

/// Declared arrays get the first numbers, wherever they stand.
void ProgramBuilder::declare_all() {
  for (const ParsedItem& item : items_) {
    const auto* declaration = std::get_if<ParsedDeclaration>(&item);
    if (declaration == nullptr) continue;
    const auto& [array, tensor] = *declaration;
    if (const auto earlier = declared_.find(array.type.name); earlier != declared_.end())
      tokens_.fail(*array.name, fmt::format("{} is declared twice; the first time on line {}", array.type.name,
                                            line(earlier->second)));
    Value value;
    value.type = array.type;
    value.tensor = tensor;
    declared_[array.type.name] = add(std::move(value), *array.name);
  }
}

/// Values stand after those that they are like.
void ProgramBuilder::copy_shardings() {
  for (Value& value : program_.values) {
    if (!value.like) continue;
    ArrayType& type = value.type;
    const ArrayType& from = program_.value(*value.like).type;
    type.open = from.open;
    type.sharding = Sharding::replicated(type.num_dims());
    type.sharding.unreduced = from.sharding.unreduced;
    for (std::size_t d = 0; d < type.dims.size(); ++d)
      for (std::size_t f = 0; f < from.dims.size(); ++f)
        if (type.dims[d].index == from.dims[f].index) type.sharding.dims[d] = from.sharding.dims[f];
  }
}

void ProgramBuilder::operator()(const ParsedDeclaration& declaration) {
  const Token& name = *declaration.array.name;
  if (const auto made = names_.find(name.text))
    tokens_.fail(name,
                 fmt::format("{0} is made on line {1}; declare it before that line, or give one of the two another "
                             "name",
                             name.text, line(*made)));
  names_.set(name, declared_.find(name.text)->second);
}

void ProgramBuilder::operator()(const ParsedAssignment& assignment) { program_.items.emplace_back(assign(assignment)); }

ProgramStatement ProgramBuilder::assign(const ParsedAssignment& assignment) {
  const auto& [target, expression, like] = assignment;
  std::vector<Operand> operands;
  for (const ParsedUse& use : expression.operands) operands.push_back(operand(use));
  Value value;
  value.type = result_type(tokens_, assignment, operands);
  value.kind = ValueKind::kMade;
  if (like) value.like = names_.look_up(*like);
  const ValueId result = add(std::move(value), *target.name);
  names_.set(*target.name, result);

  if (expression.is_product) {
    ProductStatement product{operands[0].use, operands[1].use, {}, result};
    if (expression.function) product.function = expression.function->function;
    return product;
  }
  MapStatement map{expression.function->function, {}, result};
  for (const Operand& source : operands) map.sources.push_back(source.use);
  return map;
}

Operand ProgramBuilder::operand(const ParsedUse& parsed) {
  const Use use{names_.look_up(parsed.name), parsed.variable.has_value()};
  if (use.sliced) {
    check_slice(parsed, use.value);
    num_slices_ = program_.value(use.value).type.dims[0].size;
  }
  return {use, type_of(program_, use), parsed.name};
}

void ProgramBuilder::check_slice(const ParsedUse& use, ValueId id) const {
  const std::string_view name = use.name.text;
  if (loop_ == nullptr)
    tokens_.fail(*use.variable,
                 fmt::format("{}[{}] is the slice of a pass, but this line is in no repeat", name, use.variable->text));
  if (use.variable->text != loop_->variable.text)
    tokens_.fail(*use.variable, fmt::format("{} is not the variable of this repeat; expected {}[{}]",
                                            use.variable->text, name, loop_->variable.text));
  const auto& [type, kind, like, tensor, is_cotangent, span] = program_.value(id);
  if (kind != ValueKind::kGiven)
    tokens_.fail(use.name, fmt::format("only declared arrays have slices; {} is made on line {}", name, line(id)));
  if (type.dims.empty() || type.dims[0].index != loop_->index.text)
    tokens_.fail(use.name, fmt::format("the repeat walks over {}, which is not the first index of {}",
                                       loop_->index.text, indices_text(type)));
  if (!type.sharding.dims[0].empty())
    tokens_.fail(use.name,
                 fmt::format("mesh axes cut {} along {}, over which the repeat walks; a pass needs whole slices", name,
                             loop_->index.text));
}

}  // namespace meshmul::notation
