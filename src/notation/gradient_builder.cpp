// Gradients of a program: the cotangent that comes in, and the arrays whose gradients go out.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/did_you_mean.hpp"
#include "notation/dependence.hpp"
#include "notation/program_builder.hpp"

namespace meshmul::notation {
namespace {

bool is_integer(Dtype dtype) { return accumulator_of(dtype) == Dtype::kI32; }

}  // namespace

void ProgramBuilder::operator()(const ParsedGrad& parsed) {
  GradStatement grad;
  grad.of = names_.look_up(parsed.of);
  const std::vector<bool> origins = differentiable_origins(parsed, grad.of);
  grad.cotangent = cotangent(parsed, grad.of);
  for (const Token& result : parsed.results) {
    const ValueId array = array_of_gradient(parsed, result, origins);
    if (std::find(grad.with_respect_to.begin(), grad.with_respect_to.end(), array) != grad.with_respect_to.end())
      tokens_.fail(result, fmt::format("{} is asked for twice", result.text));
    grad.with_respect_to.push_back(array);
  }
  for (std::size_t i = 0; i < parsed.results.size(); ++i) {
    Value gradient;
    gradient.type = program_.value(grad.with_respect_to[i]).type;
    gradient.type.name = parsed.results[i].text;
    gradient.kind = ValueKind::kMade;
    gradient.like = grad.with_respect_to[i];
    grad.results.push_back(add(std::move(gradient), parsed.results[i]));
    names_.set(parsed.results[i], grad.results.back());
  }
  program_.items.emplace_back(ProgramStatement(std::move(grad)));
}

/// By value: whether `of`, which must be the result of products and functions, is computed from it.
std::vector<bool> ProgramBuilder::differentiable_origins(const ParsedGrad& parsed, ValueId of) const {
  const auto& [type, kind, like, tensor, is_cotangent, span] = program_.value(of);
  if (kind == ValueKind::kGiven)
    tokens_.fail(parsed.of, fmt::format("{} is an input; grad takes an array that a statement makes", type.name));
  if (is_integer(type.dtype))
    tokens_.fail(parsed.of, fmt::format("{} is {}; grad takes a floating-point array", type.name, name(type.dtype)));
  std::vector<bool> found = origins(program_, of);
  for (const ProgramItem& item : program_.items) {
    const auto* statement = std::get_if<ProgramStatement>(&item);
    const auto* earlier = statement == nullptr ? nullptr : std::get_if<GradStatement>(statement);
    if (earlier == nullptr) continue;
    for (const ValueId gradient : earlier->results)
      if (found[static_cast<std::size_t>(gradient)])
        tokens_.fail(parsed.of, fmt::format("{} is made from {}, a gradient; there are no gradients of gradients",
                                            type.name, program_.value(gradient).type.name));
  }
  return found;
}

/// An array that is known, or a new input.
ValueId ProgramBuilder::cotangent(const ParsedGrad& parsed, ValueId of) {
  const ArrayType& type = program_.value(of).type;
  if (const auto known = names_.look_up_if_defined(parsed.cotangent)) {
    const ArrayType& found = program_.value(*known).type;
    if (found.dtype != type.dtype || !same_indices(found, type))
      tokens_.fail(parsed.cotangent,
                   fmt::format("the cotangent of {} {} has its dtype and its indices; found {} {}", name(type.dtype),
                               indices_text(type), name(found.dtype), indices_text(found)));
    return *known;
  }
  Value given;
  given.type = type;
  given.type.name = parsed.cotangent.text;
  given.like = of;
  const ValueId id = add(std::move(given), parsed.cotangent);
  names_.set(parsed.cotangent, id);
  return id;
}

/// The declared array X that `dX` names.
ValueId ProgramBuilder::array_of_gradient(const ParsedGrad& parsed, const Token& result,
                                          const std::vector<bool>& origins) const {
  std::vector<std::string> known;
  for (const auto& [array, id] : declared_) {
    if (!origins[static_cast<std::size_t>(id)] || is_integer(program_.value(id).type.dtype)) continue;
    known.push_back("d" + array);
    if (known.back() == result.text) return id;
  }
  if (known.empty())
    tokens_.fail(parsed.of, fmt::format("{} depends on no declared array of floating-point numbers", parsed.of.text));
  tokens_.fail(result,
               fmt::format("{} is not the gradient of an array that {} depends on; expected one of {}{}", result.text,
                           parsed.of.text, fmt::join(known, ", "), did_you_mean(result.text, known)));
}

}  // namespace meshmul::notation
