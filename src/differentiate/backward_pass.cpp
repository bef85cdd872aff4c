#include "differentiate/backward_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "differentiate/active_values.hpp"
#include "meshmul/error.hpp"
#include "notation/dim_of.hpp"

namespace meshmul {
namespace {

bool same_order(const ArrayType& a, const ArrayType& b) {
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const Dim& x, const Dim& y) { return x.index == y.index; });
}

}  // namespace

BackwardPass::BackwardPass(const Program& source, const GradStatement& grad, std::size_t num_items,
                           ForwardPass& forward, ProgramWriter& writer)
    : source_(source),
      grad_(grad),
      num_items_(num_items),
      forward_(forward),
      writer_(writer),
      active_(active_values(source, grad)) {}

void BackwardPass::write() {
  const ValueId cotangent = forward_.copy_value(grad_.cotangent);
  if (writer_.value(cotangent).kind == ValueKind::kGiven) writer_.value(cotangent).is_cotangent = true;
  forward_.forget_program();
  program_.gradients[grad_.of] = {cotangent, false};
  for (std::size_t item = num_items_; item-- > 0;) {
    if (const auto* loop = std::get_if<Repeat>(&source_.items[item]))
      go_back(*loop);
    else
      go_back(std::get<ProgramStatement>(source_.items[item]), program_);
  }
  for (std::size_t i = 0; i < grad_.results.size(); ++i) finish(grad_.with_respect_to[i], grad_.results[i]);
}

void BackwardPass::go_back(const ProgramStatement& statement, Scope& scope) {
  if (std::holds_alternative<GradStatement>(statement)) return;
  const auto gradient = scope.gradients.find(results(statement).front());
  if (gradient == scope.gradients.end()) return;
  const Use known = gradient->second;
  if (const auto* product = std::get_if<ProductStatement>(&statement)) return go_back(*product, known, scope);
  go_back(std::get<MapStatement>(statement), known, scope);
}

/// C = A * B: dA = dC * B, dB = A * dC.
void BackwardPass::go_back(const ProductStatement& statement, const Use& gradient, Scope& scope) {
  const Use of_sums = through_function(statement, gradient, scope);
  if (is_active(statement.a)) {
    const ArrayType type = source_type(statement.a);
    contribute(statement.a, make_product(of_sums, forward_.read(statement.b), type, gradient_name(type), scope), scope);
  }
  if (is_active(statement.b)) {
    const ArrayType type = source_type(statement.b);
    contribute(statement.b, make_product(forward_.read(statement.a), of_sums, type, gradient_name(type), scope), scope);
  }
}

/// The gradient with respect to the sums that the function of a product is applied to.
Use BackwardPass::through_function(const ProductStatement& statement, const Use& gradient, Scope& scope) {
  if (!statement.function) return gradient;
  ArrayType type = product_of(source_, statement).c;
  const auto derivative = gradient_of(*statement.function);
  if (!derivative) return with_dtype(gradient, type.dtype, scope);  // convert
  const Use at = forward_.read(Saved{statement.result, needs_preactivation(*statement.function)});
  return make_map(*derivative, {at, gradient}, type, "dpre" + type.name, scope);
}

void BackwardPass::go_back(const MapStatement& statement, const Use& gradient, Scope& scope) {
  const auto& [function, sources, result] = statement;
  switch (function) {
    case MapFunction::kZero:
    case MapFunction::kOne: return;
    case MapFunction::kConvert:
      return contribute(sources[0], converted(gradient, source_type(sources[0]), scope), scope);
    case MapFunction::kAdd:
      for (const Use& source : sources) contribute(source, gradient, scope);
      return;
    case MapFunction::kMul:
      for (const std::size_t i : {0U, 1U}) {
        if (!is_active(sources[i])) continue;
        const ArrayType type = source_type(sources[i]);
        const Use other = forward_.read(sources[1 - i]);
        contribute(sources[i], make_map(function, {gradient, other}, type, gradient_name(type), scope), scope);
      }
      return;
    case MapFunction::kBias:
      contribute(sources[0], gradient, scope);
      return go_back_to_vector(statement, gradient, scope);
    case MapFunction::kScale:
      if (is_active(sources[0])) {
        const ArrayType type = source_type(sources[0]);
        const Use scaled = make_map(function, {gradient, forward_.read(sources[1])}, type, gradient_name(type), scope);
        contribute(sources[0], scaled, scope);
      }
      return go_back_to_vector(statement, gradient, scope);
    case MapFunction::kGelu:
    case MapFunction::kGeluTanh:
    case MapFunction::kSilu:
    case MapFunction::kRelu: {
      if (!is_active(sources[0])) return;
      const ArrayType type = source_type(sources[0]);
      const Use at = needs_preactivation(function) ? forward_.read(sources[0]) : forward_.read(Use{result, false});
      return contribute(sources[0], make_map(*gradient_of(function), {at, gradient}, type, gradient_name(type), scope),
                        scope);
    }
    case MapFunction::kGeluGrad:
    case MapFunction::kGeluTanhGrad:
    case MapFunction::kSiluGrad:
    case MapFunction::kReluGrad:
      if (is_active(sources[0]) && function != MapFunction::kReluGrad) refuse_second_gradient(statement);
      if (is_active(sources[1])) {
        const ArrayType type = source_type(sources[1]);
        const Use at = forward_.read(sources[0]);
        contribute(sources[1], make_map(function, {at, gradient}, type, gradient_name(type), scope), scope);
      }
      return;
  }
}

void BackwardPass::refuse_second_gradient(const MapStatement& statement) const {
  const std::string sentence =
      fmt::format("{} has no gradient with respect to its first array, {}", name(statement.function),
                  source_.value(statement.sources[0].value).type.name);
  if (const auto place = place_of(source_, statement.result)) throw Error(ErrorCode::kUnsupported, sentence, *place);
  throw Error(ErrorCode::kUnsupported, sentence);
}

/// The second source of bias and scale counts for many elements, over which its gradient is a sum: a product with ones, or
/// with what was scaled.
void BackwardPass::go_back_to_vector(const MapStatement& statement, const Use& gradient, Scope& scope) {
  const Use& vector = statement.sources[1];
  if (!is_active(vector)) return;
  ArrayType type = source_type(vector);
  const ArrayType all = source_type(statement.sources[0]);
  const Dtype dtype = type.dtype;
  type.dtype = all.dtype;
  const bool has_sums = type.num_dims() < all.num_dims();
  Use sums = gradient;
  if (statement.function == MapFunction::kScale) {
    const Use scaled = forward_.read(statement.sources[0]);
    sums = has_sums ? make_product(gradient, scaled, type, gradient_name(type), scope)
                    : make_map(MapFunction::kMul, {gradient, scaled}, type, gradient_name(type), scope);
  } else if (has_sums) {
    ArrayType summed = all;
    std::erase_if(summed.dims, [&](const Dim& dim) { return has_index(type, dim.index); });
    const ValueId ones = writer_.add_open(summed, "ones", ValueKind::kMade, false);
    writer_.append_map(scope.where, MapFunction::kOne, {}, ones);
    sums = make_product({ones, false}, gradient, type, gradient_name(type), scope);
  }
  contribute(vector, with_dtype(sums, dtype, scope), scope);
}

void BackwardPass::contribute(const Use& to, const Use& gradient, Scope& scope) {
  if (!is_active(to)) return;
  std::map<ValueId, Use>& known = to.sliced ? scope.slices : scope.gradients;
  const auto [entry, is_first] = known.try_emplace(to.value, gradient);
  if (is_first) return;
  const ArrayType type = source_type(to);
  const Use sum = make_map(MapFunction::kAdd, {entry->second, gradient}, type, gradient_name(type), scope);
  keep_apart(entry->second.value, gradient.value, sum.value);
  entry->second = sum;
}

/// Partial sums are added one by one only if they have no term in common: what is added to itself is complete before.
void BackwardPass::keep_apart(ValueId first, ValueId second, ValueId sum) {
  const std::set<ValueId> of_first = summands_of(first);
  std::set<ValueId>& all = summands_[sum] = summands_of(second);
  const std::size_t num_apart = all.size() + of_first.size();
  all.insert(of_first.begin(), of_first.end());
  if (all.size() == num_apart) return;
  for (const ValueId value : {first, second, sum}) writer_.value(value).is_cotangent = false;
}

std::set<ValueId> BackwardPass::summands_of(ValueId gradient) const {
  const auto known = summands_.find(gradient);
  return known == summands_.end() ? std::set<ValueId>{gradient} : known->second;
}

void BackwardPass::finish(ValueId array, ValueId result) {
  const auto known = program_.gradients.find(array);
  if (const auto stacked = stacks_.find(array); stacked != stacks_.end()) {
    if (known != program_.gradients.end())
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{} is used whole and by slices; the gradients with respect to both cannot be added",
                              source_.value(array).type.name));
    return finish_stack(array, result, stacked->second);
  }
  if (known != program_.gradients.end() && may_become(known->second.value, result)) {
    Value& gradient = writer_.value(known->second.value);
    gradient.type = source_.value(result).type;
    gradient.like = forward_.copy_value(array);
    taken_.insert(known->second.value);
    return forward_.set_copy(result, known->second.value);
  }
  const ValueId copy = forward_.copy_value(result);
  writer_.value(copy).is_cotangent = true;
  if (known == program_.gradients.end())
    writer_.append_map(Where::kProgram, MapFunction::kZero, {}, copy);
  else
    writer_.append_map(Where::kProgram, MapFunction::kConvert, {known->second}, copy);
}

/// What a statement of the backward pass has made may be called as the program says, if it is no other gradient already.
bool BackwardPass::may_become(ValueId gradient, ValueId result) const {
  const Value& value = writer_.program().value(gradient);
  return own_.contains(gradient) && value.type.open && !value.like &&
         value.type.dtype == source_.value(result).type.dtype && !taken_.contains(gradient);
}

/// Slices lie like those of the array.
void BackwardPass::finish_stack(ValueId array, ValueId result, ValueId stack) {
  Value& whole = writer_.value(stack);
  Value& slice = writer_.value(*whole.like);
  whole.type = source_.value(result).type;
  slice.type.open = whole.type.open;
  slice.type.sharding = whole.type.sharding;
  slice.type.sharding.dims.erase(slice.type.sharding.dims.begin());
  slice.like = forward_.copy_value(array);
  forward_.set_copy(result, stack);
}

Use BackwardPass::make_product(const Use& a, const Use& b, const ArrayType& type, const std::string& name,
                               Scope& scope) {
  const Dtype of_a = writer_.type_of(a).dtype;
  const Dtype of_b = writer_.type_of(b).dtype;
  const Dtype common = size_bytes(of_a) < size_bytes(of_b) ? of_b : of_a;
  const Use first = with_dtype(a, common, scope);
  const Use second = with_dtype(b, common, scope);
  ArrayType made = type;
  made.dtype = product_dtype(common);
  const ValueId result = writer_.add_open(made, name, ValueKind::kMade, true);
  own_.insert(result);
  writer_.append_product(scope.where, first, second, result);
  return with_dtype({result, false}, type.dtype, scope);
}

Use BackwardPass::make_map(MapFunction function, std::vector<Use> sources, const ArrayType& type,
                           const std::string& name, Scope& scope) {
  const ValueId result = writer_.add_open(type, name, ValueKind::kMade, true);
  own_.insert(result);
  if (function == MapFunction::kConvert) summands_[result] = summands_of(sources[0].value);
  writer_.append_map(scope.where, function, std::move(sources), result);
  return {result, false};
}

Use BackwardPass::converted(const Use& use, const ArrayType& type, Scope& scope) {
  const ArrayType known = writer_.type_of(use);
  if (known.dtype == type.dtype && same_order(known, type)) return use;
  return make_map(MapFunction::kConvert, {use}, type, known.name, scope);
}

Use BackwardPass::with_dtype(const Use& use, Dtype dtype, Scope& scope) {
  ArrayType type = writer_.type_of(use);
  type.dtype = dtype;
  return converted(use, type, scope);
}

}  // namespace meshmul
