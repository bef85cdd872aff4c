#include "differentiate/forward_pass.hpp"

#include <fmt/format.h>

#include <utility>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr ValueId kNotCopied = -1;

std::size_t at(ValueId value) { return static_cast<std::size_t>(value); }

}  // namespace

ForwardPass::ForwardPass(const Program& source, const RecomputePolicy& policy, const std::set<Saved>& kept,
                         ProgramWriter& writer)
    : source_(source),
      policy_(policy),
      to_keep_(kept),
      writer_(writer),
      copies_(source.values.size(), kNotCopied),
      loops_(source.values.size()),
      makers_(source.values.size()) {
  const auto note = [this](const ProgramStatement& statement, const Repeat* loop) {
    for (const ValueId result : results(statement)) {
      makers_[at(result)] = &statement;
      loops_[at(result)] = loop;
    }
  };
  for (const ProgramItem& item : source.items) {
    const auto* loop = std::get_if<Repeat>(&item);
    if (loop == nullptr) {
      note(std::get<ProgramStatement>(item), nullptr);
      continue;
    }
    for (const Carry& carry : loop->carries) loops_[at(carry.begin)] = loop;
    for (const ProgramStatement& statement : loop->body) note(statement, loop);
  }
  for (const ValueId given : inputs(source))
    if (!source.value(given).like) copy_value(given);
}

ValueId ForwardPass::copy_value(ValueId id) {
  if (copied(id) == kNotCopied) {
    Value value = source_.value(id);
    if (value.like) value.like = copied(*value.like);
    copies_[at(id)] = writer_.add(std::move(value));
  }
  return copied(id);
}

void ForwardPass::copy(const ProgramStatement& statement, Where where) {
  if (const auto* product = std::get_if<ProductStatement>(&statement)) return copy(*product, where);
  const auto& map = std::get<MapStatement>(statement);
  std::vector<Use> sources;
  for (const Use& use : map.sources) sources.push_back(copied(use));
  writer_.append_map(where, map.function, std::move(sources), copy_value(map.result));
}

void ForwardPass::copy(const ProductStatement& statement, Where where) {
  const bool is_split = to_keep_.contains({statement.result, true});
  if (!is_split) {
    const ValueId result = copy_value(statement.result);
    return writer_.append(where,
                          ProductStatement{copied(statement.a), copied(statement.b), statement.function, result});
  }
  const ValueId sums = add_preactivation(statement);
  const ValueId result = copy_value(statement.result);
  if (writer_.value(result).type.open && !writer_.value(result).like) writer_.value(result).like = sums;
  writer_.append_product(where, copied(statement.a), copied(statement.b), sums);
  writer_.append_map(where, *statement.function, {{sums, false}}, result);
}

/// It lies like the activation.
ValueId ForwardPass::add_preactivation(const ProductStatement& statement) {
  const Value& result = source_.value(statement.result);
  Value sums;
  sums.type = product_of(source_, statement).c;
  sums.type.name = writer_.free_name("pre" + result.type.name);
  sums.kind = ValueKind::kMade;
  if (result.like) sums.like = copied(*result.like);
  const ValueId id = writer_.add(std::move(sums));
  preactivations_[{statement.result, true}] = id;
  return id;
}

void ForwardPass::copy(const Repeat& loop) {
  Repeat copy{loop.index, loop.variable, loop.count, {}, {}, {}, loop.reversed};
  for (const Carry& carry : loop.carries) copy_value(carry.begin);
  writer_.open_loop();
  for (const ProgramStatement& statement : loop.body) this->copy(statement, Where::kLoop);
  for (const Carry& carry : loop.carries)
    copy.carries.push_back({copied(carry.before), copied(carry.begin), copied(carry.end), copy_value(carry.after)});
  for (const Saved& saved : to_keep_)
    if (loops_[at(saved.value)] == &loop) stack(saved, copy);
  writer_.close_loop(std::move(copy));
}

void ForwardPass::stack(const Saved& saved, Repeat& loop) {
  const ValueId slice = saved.is_preactivation ? preactivations_.at(saved) : copied(saved.value);
  ArrayType type = writer_.value(slice).type;
  for (const Dim& dim : type.dims)
    if (dim.index == loop.index)
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("gradients have to keep {} of every pass over {}, but that is an index of it already",
                              type.name, loop.index));
  if (type.num_dims() == kMaxDims)
    throw Error(ErrorCode::kUnsupported,
                fmt::format("gradients have to keep {} of every pass, but an array has at most {} dimensions",
                            type.name, kMaxDims));
  type.name = writer_.free_name(type.name + "s");
  type.dims.insert(type.dims.begin(), Dim{loop.index, loop.count});
  type.sharding.dims.insert(type.sharding.dims.begin(), std::vector<int>{});
  Value whole;
  whole.type = std::move(type);
  whole.kind = ValueKind::kStacked;
  whole.like = slice;
  stacks_[saved] = writer_.add(std::move(whole));
  loop.stacks.push_back({slice, stacks_[saved]});
}

Use ForwardPass::read(const Use& use) { return use.sliced ? copied(use) : read(Saved{use.value, false}); }

Use ForwardPass::read(const Saved& saved) {
  if (source_.value(saved.value).kind == ValueKind::kGiven) return {copied(saved.value), false};
  const Repeat* loop = loops_[at(saved.value)];
  if (policy_.is_recomputed(saved)) {
    read_again_.insert(saved);
    std::map<Saved, ValueId>& known = loop != nullptr ? again_in_loop_ : again_outside_;
    if (const auto found = known.find(saved); found != known.end()) return {found->second, false};
    const ValueId again = compute_again(saved, loop != nullptr ? Where::kLoop : Where::kProgram);
    known[saved] = again;
    return {again, false};
  }
  read_kept_.insert(saved);
  // What was not expected to be read stands in the second time.
  if (!to_keep_.contains(saved)) return {copied(saved.value), false};
  if (loop != nullptr) return {stacks_.at(saved), true};
  return {saved.is_preactivation ? preactivations_.at(saved) : copied(saved.value), false};
}

ValueId ForwardPass::compute_again(const Saved& saved, Where where) {
  const Value& value = source_.value(saved.value);
  const std::string name = name_of(saved);
  if (const auto* map = std::get_if<MapStatement>(makers_[at(saved.value)])) {
    std::vector<Use> sources;
    for (const Use& use : map->sources) sources.push_back(read(use));
    const ValueId result = writer_.add_open(value.type, name, ValueKind::kMade, false);
    writer_.append_map(where, map->function, std::move(sources), result);
    return result;
  }
  const auto& product = std::get<ProductStatement>(*makers_[at(saved.value)]);
  if (!saved.is_preactivation && product.function && needs_preactivation(*product.function)) {
    const Use sums = read(Saved{saved.value, true});
    const ValueId result = writer_.add_open(value.type, name, ValueKind::kMade, false);
    writer_.append_map(where, *product.function, {sums}, result);
    return result;
  }
  const Use a = read(product.a);
  const Use b = read(product.b);
  const ArrayType& type = saved.is_preactivation ? product_of(source_, product).c : value.type;
  const ValueId result = writer_.add_open(type, name, ValueKind::kMade, false);
  const auto function = saved.is_preactivation ? std::nullopt : product.function;
  writer_.append(where, ProductStatement{a, b, function, result});
  return result;
}

std::string ForwardPass::name_of(const Saved& saved) const {
  const std::string& name = source_.value(saved.value).type.name;
  return saved.is_preactivation ? "pre" + name : name;
}

std::vector<Activation> ForwardPass::activations() const {
  std::vector<Activation> activations;
  for (const Saved& saved : read_kept_) activations.push_back({name_of(saved), false});
  for (const Saved& saved : read_again_) activations.push_back({name_of(saved), true});
  return activations;
}

}  // namespace meshmul
