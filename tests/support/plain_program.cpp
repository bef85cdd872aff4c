#include "support/plain_program.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace meshmul::testing {
namespace {

std::int64_t apply(MapFunction function, std::int64_t x, std::int64_t y) {
  switch (function) {
    case MapFunction::kRelu: return std::max<std::int64_t>(x, 0);
    case MapFunction::kReluGrad: return x > 0 ? y : 0;
    case MapFunction::kConvert: return x;
    case MapFunction::kAdd:
    case MapFunction::kBias: return x + y;
    case MapFunction::kMul:
    case MapFunction::kScale: return x * y;
    default: throw std::logic_error("not a function of whole numbers: " + std::string(name(function)));
  }
}

// `from`, whose elements count for all elements of `to` along the indices that it lacks.
Integers spread(const ArrayType& from, const Integers& array, const ArrayType& to) {
  ArrayType ones = to;
  ones.name = "ones";
  ArrayType result = to;
  result.name = "result";
  ArrayType source = from;
  source.name = "source";
  const Shape shape = global_shape(to);
  const std::vector<std::int64_t> all_one(static_cast<std::size_t>(Box::whole(shape).num_elements()), 1);
  return plain_einsum(Product{source, ones, result}, {array, {shape, all_one}});
}

class PlainRun {
 public:
  PlainRun(const Program& program, std::map<ValueId, Integers> given) : program_(program), values_(std::move(given)) {}

  std::vector<Integers> run() {
    for (const ProgramItem& item : program_.items) {
      if (const auto* statement = std::get_if<ProgramStatement>(&item)) {
        do_once(*statement);
        continue;
      }
      const auto& loop = std::get<Repeat>(item);
      for (std::int64_t number = 0; number < loop.count; ++number) {
        pass_ = loop.reversed ? loop.count - 1 - number : number;
        std::map<ValueId, Integers> begins;
        for (const Carry& carry : loop.carries)
          begins[carry.begin] = values_.at(number == 0 ? carry.before : carry.end);
        for (auto& [id, array] : begins) values_[id] = std::move(array);
        for (const ProgramStatement& statement : loop.body) do_once(statement);
        for (const Stack& stack : loop.stacks) keep(stack);
      }
      for (const Carry& carry : loop.carries) values_[carry.after] = values_.at(carry.end);
    }
    std::vector<Integers> results;
    for (const ValueId id : outputs(program_)) results.push_back(values_.at(id));
    return results;
  }

 private:
  // The slice of this pass.
  void keep(const Stack& stack) {
    const Integers& slice = values_.at(stack.slice);
    Integers& whole = values_[stack.whole];
    whole.shape = global_shape(program_.value(stack.whole).type);
    whole.values.resize(static_cast<std::size_t>(Box::whole(whole.shape).num_elements()));
    std::copy(slice.values.begin(), slice.values.end(),
              whole.values.begin() + pass_ * static_cast<std::int64_t>(slice.values.size()));
  }

  Integers read(const Use& use) const {
    const Integers& whole = values_.at(use.value);
    if (!use.sliced) return whole;
    const Shape shape(whole.shape.begin() + 1, whole.shape.end());
    const std::int64_t size = Box::whole(shape).num_elements();
    const auto first = whole.values.begin() + pass_ * size;
    return {shape, {first, first + size}};
  }

  void do_once(const ProgramStatement& statement) {
    if (const auto* product = std::get_if<ProductStatement>(&statement)) {
      Integers result = plain_einsum(product_of(program_, *product), {read(product->a), read(product->b)});
      if (product->function)
        for (std::int64_t& x : result.values) x = apply(*product->function, x, 0);
      values_[product->result] = std::move(result);
      return;
    }
    const auto& map = std::get<MapStatement>(statement);
    const ArrayType& type = program_.value(map.result).type;
    if (map.sources.empty()) {
      const Shape shape = global_shape(type);
      values_[map.result] = {shape,
                             std::vector<std::int64_t>(static_cast<std::size_t>(Box::whole(shape).num_elements()),
                                                       map.function == MapFunction::kOne ? 1 : 0)};
      return;
    }
    std::vector<Integers> sources;
    for (const Use& use : map.sources) sources.push_back(spread(type_of(program_, use), read(use), type));
    for (std::size_t i = 0; i < sources[0].values.size(); ++i)
      sources[0].values[i] = apply(map.function, sources[0].values[i], sources.size() > 1 ? sources[1].values[i] : 0);
    values_[map.result] = std::move(sources[0]);
  }

  const Program& program_;
  std::map<ValueId, Integers> values_;
  std::int64_t pass_ = 0;
};

}  // namespace

std::vector<Integers> plain_outputs(const Program& program, std::map<ValueId, Integers> given) {
  return PlainRun(program, std::move(given)).run();
}

}  // namespace meshmul::testing
