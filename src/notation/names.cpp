#include "notation/names.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/did_you_mean.hpp"

namespace meshmul::notation {

Names::Names(const Tokens& tokens, const std::vector<ParsedItem>& items) : tokens_(tokens) {
  const auto define = [this](const ParsedArray& array) { definitions_.try_emplace(array.type.name, *array.name); };
  for (const ParsedItem& item : items) {
    if (const auto* declaration = std::get_if<ParsedDeclaration>(&item)) define(declaration->array);
    if (const auto* assignment = std::get_if<ParsedAssignment>(&item)) define(assignment->target);
    if (const auto* repeat = std::get_if<ParsedRepeat>(&item))
      for (const ParsedAssignment& assignment : repeat->body) define(assignment.target);
  }
}

std::optional<ValueId> Names::find(std::string_view name) const {
  const auto known = known_.find(name);
  return known == known_.end() ? std::nullopt : std::optional(known->second.value);
}

ValueId Names::look_up(const Token& name) const {
  if (const auto value = look_up_if_defined(name)) return *value;
  std::vector<std::string> names;
  for (const auto& [known, meaning] : known_) names.push_back(known);
  tokens_.fail(name, fmt::format("there is no array {}{}", name.text, did_you_mean(name.text, names)));
}

std::optional<ValueId> Names::look_up_if_defined(const Token& name) const {
  if (const auto value = find(name.text)) return value;
  if (const auto made = forgotten_.find(name.text); made != forgotten_.end())
    tokens_.fail(name,
                 fmt::format("{} is made inside a repeat, on line {}, and is not known after it; one that is made "
                             "before the repeat is carried from pass to pass",
                             name.text, tokens_.line(made->second)));
  if (const auto later = definitions_.find(name.text); later != definitions_.end())
    tokens_.fail(name,
                 fmt::format("{} is used before it is defined, on line {}", name.text, tokens_.line(later->second)));
  return std::nullopt;
}

void Names::set(const Token& name, ValueId value) {
  known_.insert_or_assign(std::string(name.text), Meaning{value, name});
}

void Names::return_to(Table before) {
  for (const auto& [name, meaning] : known_)
    if (before.find(name) == before.end()) forgotten_.insert_or_assign(name, meaning.place);
  known_ = std::move(before);
}

}  // namespace meshmul::notation
