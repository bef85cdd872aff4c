#include "notation/result_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "notation/index_rules.hpp"

namespace meshmul::notation {
namespace {

class ResultTyper {
 public:
  ResultTyper(const Tokens& tokens, const ParsedAssignment& assignment, const std::vector<Operand>& operands)
      : tokens_(tokens),
        assignment_(assignment),
        target_(assignment.target),
        expression_(assignment.expression),
        operands_(operands) {}

  ArrayType type() {
    ArrayType natural = expression_.is_product ? product() : elementwise();
    ArrayType type = target_.type;
    type.dtype = dtype(natural.dtype);
    if (target_.has_dims) return type;
    type.dims = std::move(natural.dims);
    type.sharding = Sharding::replicated(type.num_dims());
    type.open = true;
    return type;
  }

 private:
  ArrayType product() const {
    const ArrayType& a = operands_[0].type;
    const ArrayType& b = operands_[1].type;
    if (a.dtype != b.dtype)
      tokens_.fail(operands_[1].token, fmt::format("{} is {} but {} is {}; the inputs of a product have one dtype",
                                                   a.name, name(a.dtype), b.name, name(b.dtype)));
    ArrayType c;
    c.dtype = product_dtype(a.dtype);
    if (target_.has_dims)
      check_product(a, b);
    else
      c.dims = contracted_dims(a, b);
    return c;
  }

  void check_product(const ArrayType& a, const ArrayType& b) const {
    const auto fault = product_fault(a, b, target_.type);
    if (!fault) return;
    const bool of_result = fault->array == &target_.type;
    tokens_.fail(of_result ? target_.dims[static_cast<std::size_t>(fault->dim)].start
                           : operands_[fault->array == &a ? 0 : 1].token,
                 fault->sentence);
  }

  /// The indices of a that b lacks, then those of b that a lacks.
  std::vector<Dim> contracted_dims(const ArrayType& a, const ArrayType& b) const {
    std::vector<Dim> dims;
    const auto add_own = [&dims](const ArrayType& from, const ArrayType& other) {
      for (const Dim& dim : from.dims)
        if (!has_index(other, dim.index)) dims.push_back(dim);
    };
    add_own(a, b);
    add_own(b, a);
    const bool contracts = dims.size() < a.dims.size() + b.dims.size();
    if (!contracts)
      tokens_.fail(operands_[1].token,
                   fmt::format("{} and {} have no index in common that could be contracted; for an outer product write "
                               "the dimensions of {}",
                               indices_text(a), indices_text(b), target_.type.name));
    if (dims.size() > kMaxDims)
      tokens_.fail(*target_.name, fmt::format("the product of {} and {} has {} dimensions; an array has at most {}",
                                              indices_text(a), indices_text(b), dims.size(), kMaxDims));
    return dims;
  }

  ArrayType elementwise() const {
    switch (expression_.function->function) {
      case MapFunction::kZero:
      case MapFunction::kOne: return target_.type;
      case MapFunction::kAdd:
      case MapFunction::kMul:
      case MapFunction::kGeluGrad:
      case MapFunction::kGeluTanhGrad:
      case MapFunction::kSiluGrad:
      case MapFunction::kReluGrad: check_alike(); break;
      case MapFunction::kBias:
      case MapFunction::kScale: check_vector(); break;
      case MapFunction::kConvert: check_converted_dims(); return operands_[0].type;
      case MapFunction::kGelu:
      case MapFunction::kGeluTanh:
      case MapFunction::kSilu:
      case MapFunction::kRelu: break;
    }
    const ArrayType& first = operands_[0].type;
    if (target_.has_dims && !same_indices(target_.type, first))
      tokens_.fail(*target_.name, fmt::format("{} of {} has the same indices in the same order; found {}", function(),
                                              indices_text(first), indices_text(target_.type)));
    return first;
  }

  void check_alike() const {
    const ArrayType& first = operands_[0].type;
    const ArrayType& second = operands_[1].type;
    if (!same_indices(first, second))
      tokens_.fail(operands_[1].token,
                   fmt::format("{} takes two arrays with the same indices in the same order; found {} and {}",
                               function(), indices_text(first), indices_text(second)));
    if (first.dtype != second.dtype)
      tokens_.fail(operands_[1].token,
                   fmt::format("{} is {} but {} is {}; {} takes two arrays of one dtype", first.name, name(first.dtype),
                               second.name, name(second.dtype), function()));
  }

  /// The second source of bias and scale.
  void check_vector() const {
    const ArrayType& first = operands_[0].type;
    const ArrayType& second = operands_[1].type;
    if (second.num_dims() > 1 || (second.num_dims() == 1 && !has_index(first, second.dims[0].index)))
      tokens_.fail(operands_[1].token, fmt::format("the second array of {} has one index of {}, or none; found {}",
                                                   function(), indices_text(first), indices_text(second)));
    const Dtype accumulator = accumulator_of(first.dtype);
    if (second.dtype == first.dtype || second.dtype == accumulator) return;
    const std::string or_accumulator = accumulator == first.dtype ? "" : fmt::format(" or {}", name(accumulator));
    tokens_.fail(operands_[1].token,
                 fmt::format("{} is {}, so the second array of {} is {}{}; found {}", first.name, name(first.dtype),
                             function(), name(first.dtype), or_accumulator, name(second.dtype)));
  }

  /// The indices of the source, in any order.
  void check_converted_dims() const {
    if (!target_.has_dims) return;
    const ArrayType& source = operands_[0].type;
    const auto has_all = [](const ArrayType& type, const ArrayType& of) {
      return std::all_of(of.dims.begin(), of.dims.end(), [&](const Dim& dim) { return has_index(type, dim.index); });
    };
    if (!has_all(source, target_.type) || !has_all(target_.type, source))
      tokens_.fail(*target_.name, fmt::format("{} and {} have different indices; {} keeps them", indices_text(source),
                                              indices_text(target_.type), function()));
  }

  /// What is written must be what the expression returns, if it does not convert.
  Dtype dtype(Dtype natural) const {
    const bool converts = expression_.function && expression_.function->function == MapFunction::kConvert;
    if (!target_.dtype) {
      if (converts && (expression_.is_product || !(target_.has_dims || assignment_.like)))
        tokens_.fail(
            expression_.function->token,
            fmt::format("convert returns the dtype that is written in front of its result; expected one, as in "
                        "f32 {}",
                        target_.type.name));
      return natural;
    }
    if (!converts && target_.type.dtype != natural)
      tokens_.fail(*target_.dtype, fmt::format("the right side of {} is {}; found {}; convert changes the dtype",
                                               target_.type.name, name(natural), name(target_.type.dtype)));
    return target_.type.dtype;
  }

  std::string_view function() const { return expression_.function->token.text; }

  const Tokens& tokens_;
  const ParsedAssignment& assignment_;
  const ParsedArray& target_;
  const ParsedExpression& expression_;
  const std::vector<Operand>& operands_;
};

}  // namespace

ArrayType result_type(const Tokens& tokens, const ParsedAssignment& assignment, const std::vector<Operand>& operands) {
  return ResultTyper(tokens, assignment, operands).type();
}

std::string indices_text(const ArrayType& type) {
  std::vector<std::string_view> indices;
  for (const Dim& dim : type.dims) indices.push_back(dim.index);
  return fmt::format("{}[{}]", type.name, fmt::join(indices, ", "));
}

bool same_indices(const ArrayType& a, const ArrayType& b) {
  return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                    [](const Dim& x, const Dim& y) { return x.index == y.index; });
}

}  // namespace meshmul::notation
