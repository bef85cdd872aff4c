#include "plain_run.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "noise.hpp"
#include "plain_map.hpp"
#include "plain_product.hpp"

namespace meshmul::checking {
namespace {

/// Errors of the vector code of gelu, gelu_tanh and silu, in units of roundoff of f32 (src/kernels/activations.hpp).
constexpr double kActivationRoundings = 16;

bool is_integer(Dtype dtype) { return accumulator_of(dtype) == Dtype::kI32; }

/// True if whole numbers give whole numbers.
bool keeps_whole(MapFunction function) {
  const auto is = [function](MapFunction smooth) { return function == smooth || function == gradient_of(smooth); };
  return !is(MapFunction::kGelu) && !is(MapFunction::kGeluTanh) && !is(MapFunction::kSilu);
}

/// True if what it makes of numbers of a dtype is one of them.
bool rounds_nothing(MapFunction function) {
  return num_sources(function) == 0 || function == MapFunction::kRelu || function == MapFunction::kReluGrad ||
         function == MapFunction::kConvert;
}

class PlainRun {
 public:
  PlainRun(const Program& program, const CheckOptions& options, std::optional<std::uint64_t> noise)
      : program_(program), options_(options), values_(program.values.size()) {
    if (noise) noise_.emplace(*noise);
  }

  std::vector<PlainValue> run(const std::vector<Terms>& given) {
    const std::vector<ValueId> ids = inputs(program_);
    for (std::size_t i = 0; i < ids.size(); ++i) value(ids[i]) = sum_of(given[i], program_.value(ids[i]).type.dtype);
    for (const ProgramItem& item : program_.items) {
      if (const auto* statement = std::get_if<ProgramStatement>(&item))
        do_once(*statement);
      else
        do_loop(std::get<Repeat>(item));
    }
    std::vector<PlainValue> results;
    for (const ValueId id : outputs(program_)) results.push_back(value(id));
    return results;
  }

 private:
  PlainValue& value(ValueId id) { return values_[static_cast<std::size_t>(id)]; }

  // The terms belong to the caller, who keeps them.
  PlainValue sum_of(const Terms& terms, Dtype dtype) {
    if (terms.size() == 1) {
      const auto kept = std::shared_ptr<const HostArray>(terms.front(), [](const HostArray*) {});
      return {kept, is_whole(*kept)};
    }
    auto sum = std::make_shared<HostArray>(Dtype::kF64, terms.front()->shape());
    bool whole = true;
    double largest = 0;
    for (const HostArray* const term : terms) {
      whole = whole && is_whole(*term);
      largest += largest_magnitude(*term);
      for (std::int64_t i = 0; i < sum->num_elements(); ++i)
        sum->elements<double>()[static_cast<std::size_t>(i)] += (*term)[i];
    }
    take_range_of(dtype, *sum);
    const bool is_exact = is_integer(dtype) || (whole && largest <= exact_up_to(dtype));
    if (noise_ && !is_exact) add_rounding_noise(dtype, static_cast<double>(terms.size()), *noise_, *sum);
    return {std::move(sum), is_exact};
  }

  // What a loop keeps of every pass, in f64.
  struct GrowingStack {
    std::shared_ptr<HostArray> array;
    bool is_exact = true;
  };

  void do_loop(const Repeat& loop) {
    std::vector<GrowingStack> stacks;
    for (const Stack& stack : loop.stacks)
      stacks.push_back({std::make_shared<HostArray>(Dtype::kF64, global_shape(program_.value(stack.whole).type))});
    for (std::int64_t number = 0; number < loop.count; ++number) {
      pass_ = loop.reversed ? loop.count - 1 - number : number;
      std::vector<PlainValue> begins;
      for (const Carry& carry : loop.carries) begins.push_back(value(number == 0 ? carry.before : carry.end));
      for (std::size_t i = 0; i < begins.size(); ++i) value(loop.carries[i].begin) = std::move(begins[i]);
      for (const ProgramStatement& statement : loop.body) do_once(statement);
      for (std::size_t i = 0; i < stacks.size(); ++i) keep(value(loop.stacks[i].slice), stacks[i]);
    }
    for (std::size_t i = 0; i < stacks.size(); ++i)
      value(loop.stacks[i].whole) = {std::move(stacks[i].array), stacks[i].is_exact};
    for (const Carry& carry : loop.carries) value(carry.after) = value(carry.end);
  }

  // What this pass made, or was given, becomes its slice of the stack.
  void keep(const PlainValue& slice, GrowingStack& stack) const {
    const std::int64_t size = slice.array->num_elements();
    const std::span<double> elements = stack.array->elements<double>();
    for (std::int64_t i = 0; i < size; ++i) elements[static_cast<std::size_t>(pass_ * size + i)] = (*slice.array)[i];
    stack.is_exact = stack.is_exact && slice.is_exact;
  }

  PlainValue read(const Use& use) {
    const PlainValue& whole = value(use.value);
    if (!use.sliced) return whole;
    const Shape shape(whole.array->shape().begin() + 1, whole.array->shape().end());
    auto slice = std::make_shared<HostArray>(whole.array->dtype(), shape);
    const auto size = static_cast<std::size_t>(slice->num_bytes());
    std::ranges::copy(whole.array->bytes().subspan(static_cast<std::size_t>(pass_) * size, size),
                      slice->bytes().begin());
    return {std::move(slice), whole.is_exact};
  }

  void do_once(const ProgramStatement& statement) {
    if (const auto* product = std::get_if<ProductStatement>(&statement))
      value(product->result) = make(*product);
    else
      value(std::get<MapStatement>(statement).result) = make(std::get<MapStatement>(statement));
  }

  PlainValue make(const ProductStatement& statement) {
    const Product product = product_of(program_, statement);
    const PlainValue a = read(statement.a);
    const PlainValue b = read(statement.b);
    PlainProduct made = multiply(product, *a.array, *b.array, options_);
    take_range_of(product.c.dtype, made.c);
    const double absolute = made.rows.largest() * made.columns.largest();
    const Dtype wire = options_.wire_dtype.value_or(product.c.dtype);
    PlainValue result;
    result.is_exact = is_integer(product.c.dtype) ||
                      (a.is_exact && b.is_exact && absolute <= exact_up_to(accumulator_of(product.a.dtype)) &&
                       (options_.partial_sums == 1 || absolute <= exact_up_to(wire)) &&
                       largest_magnitude(made.c) <= exact_up_to(product.c.dtype));
    if (noise_ && !result.is_exact) add_sum_noise(product, options_, *noise_, made);
    auto array = std::make_shared<HostArray>(std::move(made.c));
    if (statement.function) {
      const Dtype dtype = program_.value(statement.result).type.dtype;
      apply_in_place(*statement.function, dtype, *array);
      finish(*statement.function, product.c.dtype, dtype, *array, result.is_exact);
    }
    result.array = std::move(array);
    return result;
  }

  PlainValue make(const MapStatement& statement) {
    const ArrayType& type = program_.value(statement.result).type;
    std::vector<PlainValue> read_values;
    std::vector<ArrayType> types;
    bool is_exact = true;
    for (const Use& use : statement.sources) {
      read_values.push_back(read(use));
      types.push_back(type_of(program_, use));
      is_exact = is_exact && read_values.back().is_exact;
    }
    std::vector<MapSource> sources;
    for (std::size_t i = 0; i < types.size(); ++i) sources.push_back({read_values[i].array.get(), &types[i]});
    auto array = std::make_shared<HostArray>(apply(statement.function, sources, type));
    finish(statement.function, types.empty() ? type.dtype : types.front().dtype, type.dtype, *array, is_exact);
    return {std::move(array), is_exact};
  }

  // What a function made: overflows, wraps, and is rounded to its dtype. `is_exact` says it of what the function read, and
  // then of what it made.
  void finish(MapFunction function, Dtype from, Dtype to, HostArray& made, bool& is_exact) {
    take_range_of(to, made);
    is_exact = is_exact && keeps_whole(function) && largest_magnitude(made) <= exact_up_to(to);
    if (!noise_ || is_exact) return;
    if (is_integer(to) && !is_integer(from))  // it is cut, and may come from either side of a whole number
      for (double& value : made.elements<double>()) value += noise_->next();
    if (!keeps_whole(function)) add_rounding_noise(accumulator_of(to), kActivationRoundings, *noise_, made);
    if (!rounds_nothing(function) || from != to) add_rounding_noise(to, 1, *noise_, made);
  }

  const Program& program_;
  const CheckOptions& options_;
  std::vector<PlainValue> values_;
  std::optional<NoiseSource> noise_;
  std::int64_t pass_ = 0;
};

}  // namespace

std::vector<PlainValue> plain_outputs(const Program& program, const std::vector<Terms>& given,
                                      const CheckOptions& options, std::optional<std::uint64_t> noise) {
  return PlainRun(program, options, noise).run(given);
}

}  // namespace meshmul::checking
