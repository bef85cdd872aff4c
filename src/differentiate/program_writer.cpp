#include "differentiate/program_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshmul {

ProgramWriter::ProgramWriter(const Program& source) {
  for (const Value& value : source.values) names_.push_back(value.type.name);
  program_.text = source.text;
}

ValueId ProgramWriter::add(Value value) {
  program_.values.push_back(std::move(value));
  return static_cast<ValueId>(program_.values.size()) - 1;
}

ValueId ProgramWriter::add_open(const ArrayType& type, const std::string& wanted, ValueKind kind, bool is_cotangent) {
  Value value;
  value.type = type;
  value.type.name = free_name(wanted);
  value.type.sharding = Sharding::replicated(type.num_dims());
  value.type.open = true;
  value.kind = kind;
  value.is_cotangent = is_cotangent;
  return add(std::move(value));
}

std::string ProgramWriter::free_name(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; std::find(names_.begin(), names_.end(), name) != names_.end(); ++number)
    name = fmt::format("{}n{}", wanted, number);
  names_.push_back(name);
  return name;
}

void ProgramWriter::append(Where where, ProgramStatement statement) {
  if (where == Where::kLoop)
    body_.push_back(std::move(statement));
  else
    program_.items.emplace_back(std::move(statement));
}

void ProgramWriter::append_product(Where where, const Use& a, const Use& b, ValueId result) {
  append(where, ProductStatement{a, b, std::nullopt, result});
}

void ProgramWriter::append_map(Where where, MapFunction function, std::vector<Use> sources, ValueId result) {
  append(where, MapStatement{function, std::move(sources), result});
}

void ProgramWriter::close_loop(Repeat loop) {
  loop.body = std::move(body_);
  body_.clear();
  program_.items.emplace_back(std::move(loop));
}

bool ProgramWriter::is_made_in_loop(ValueId value) const {
  return std::any_of(body_.begin(), body_.end(),
                     [value](const ProgramStatement& statement) { return results(statement).front() == value; });
}

}  // namespace meshmul
