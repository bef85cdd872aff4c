#include "contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "meshmul/error.hpp"
#include "notation/dim_of.hpp"
#include "notation/print.hpp"
#include "of_zeros.hpp"
#include "values.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

std::optional<std::string> sharding_fault(const ArrayType& type, const Mesh& mesh) {
  if (type.open) return fmt::format("the sharding of {} is open; expected one that is chosen", type.name);
  if (type.sharding.dims.size() != type.dims.size())
    return fmt::format("{} has {} dimensions but a sharding of {}", type.name, type.dims.size(),
                       type.sharding.dims.size());
  std::vector<int> used = type.sharding.unreduced;
  for (const std::vector<int>& axes : type.sharding.dims) used.insert(used.end(), axes.begin(), axes.end());
  std::sort(used.begin(), used.end());
  if (!used.empty() && (used.front() < 0 || used.back() >= mesh.num_axes()))
    return fmt::format("the sharding of {} names an axis that the mesh {} has not", type.name, mesh.str());
  if (std::adjacent_find(used.begin(), used.end()) != used.end())
    return fmt::format("the sharding of {} uses one mesh axis twice", type.name);
  return std::nullopt;
}

// Elements of `terms`, or nothing from 2^62 on. Empty if any dimension is.
std::optional<std::int64_t> bounded_size(const Box& terms) {
  if (terms.empty()) return 0;
  std::int64_t room = std::int64_t{1} << 62;
  for (const Interval& interval : terms) room /= interval.size();
  return room > 0 ? std::optional(terms.num_elements()) : std::nullopt;
}

class Resolver {
 public:
  Resolver(const Contract& contract, std::vector<Finding>& findings) : contract_(contract), findings_(findings) {}

  ResolvedContract resolve() {
    for (const ContractStatement& statement : contract_.statements)
      if (is_complete(statement)) std::visit([this](const auto& form) { add(form); }, statement.form);
    for (const std::string& name : produced_)
      if (std::find(consumed_.begin(), consumed_.end(), name) == consumed_.end())
        result_.required_outputs.push_back(name);
    return std::move(result_);
  }

 private:
  void fault(const std::string& sentence) { findings_.push_back({Rule::kWellFormed, std::nullopt, sentence}); }

  bool is_complete(const ContractStatement& statement) {
    const std::size_t before = findings_.size();
    try {
      check_sizes(statement);
    } catch (const Error& error) {
      fault(error.what());
    }
    std::vector<const ArrayType*> types = inputs(statement);
    types.push_back(&output(statement));
    for (const ArrayType* type : types)
      if (const auto sentence = sharding_fault(*type, contract_.mesh)) fault(*sentence);
    return findings_.size() == before;
  }

  void add(const Statement& statement) {
    std::visit([this](const auto& kind) { add(kind); }, statement);
  }
  void add(const Product& product) {
    const NamedArray a = consume(product.a);
    const NamedArray b = consume(product.b);
    if (a.tensor == kZeros || b.tensor == kZeros) return produce(product.c, identity(product.c, kZeros));
    if (a.tensor == kOnes && b.tensor == kOnes)
      return fault(fmt::format("a product of ones alone cannot be checked: {}", product.c.name));
    std::vector<std::string> indices;
    const auto numbers = [&](const ArrayType& type, const NamedArray& array) {
      std::vector<int> of_tensor(type.dims.size());
      for (std::size_t d = 0; d < type.dims.size(); ++d)
        of_tensor[static_cast<std::size_t>(array.dims[d])] = number_of(type.dims[d].index, indices);
      return of_tensor;
    };
    NamedArray result = identity(product.c, static_cast<int>(result_.tensors.size()));
    ProductRule rule{
        a.tensor, b.tensor, result.tensor, numbers(product.a, a), numbers(product.b, b), numbers(product.c, result),
        {}};
    for (const std::string& index : index_roles(product).contracted)
      rule.contracted.push_back(number_of(index, indices));
    std::vector<int> c_index = rule.c_index;
    const ProductRule* known = find_same(rule);
    if (known == nullptr) {
      const ProductRule other_way_round = swapped(rule);
      known = find_same(other_way_round);
      if (known != nullptr) c_index = other_way_round.c_index;
    }
    if (known != nullptr) {
      result.tensor = known->c;
      for (std::size_t d = 0; d < result.dims.size(); ++d)
        result.dims[d] = static_cast<int>(std::find(known->c_index.begin(), known->c_index.end(), c_index[d]) -
                                          known->c_index.begin());
    } else {
      if (!add_product_tensor(product, a, b, rule)) return;
      result_.products.push_back(std::move(rule));
    }
    produce(product.c, result);
  }
  void add(const Reshard& reshard) {
    const NamedArray source = consume(reshard.from);
    NamedArray result{&reshard.to, source.tensor, {}};
    for (const Dim& dim : reshard.to.dims)
      result.dims.push_back(source.dims[static_cast<std::size_t>(dim_of(reshard.from, dim.index))]);
    produce(reshard.to, result);
  }
  // A collective keeps the order of the dimensions, which need no index.
  void add(const Collective& collective) {
    NamedArray result = consume(collective.from);
    result.type = &collective.to;
    produce(collective.to, result);
  }

  void add(const Elementwise& map) {
    if (map.sources.empty())
      return produce(map.result, identity(map.result, map.function == MapFunction::kOne ? kOnes : kZeros));
    std::vector<NamedArray> sources;
    for (const ArrayType& source : map.sources) sources.push_back(consume(source));
    const auto zeros =
        of_zeros(map.function, sources.front().tensor == kZeros, sources.size() > 1 && sources[1].tensor == kZeros);
    const std::size_t shown = zeros == OfZeros::kSecond ? 1 : 0;  // the source whose dimensions the result has
    NamedArray result{&map.result, sources[shown].tensor, {}};
    for (const Dim& dim : map.result.dims)
      result.dims.push_back(sources[shown].dims[static_cast<std::size_t>(dim_of(map.sources[shown], dim.index))]);
    if (const auto sum = stated_sum(map, sources); sum && !zeros) {
      result.tensor = *sum;
    } else if (zeros) {
      if (*zeros == OfZeros::kZeros) result.tensor = kZeros;
    } else if (map.function != MapFunction::kConvert) {
      if (has_constant(sources))
        return fault(fmt::format("{} of zeros or ones cannot be checked: {}", name(map.function), map.result.name));
      FunctionRule rule{map.function, {}, {}};
      for (const NamedArray& source : sources) rule.sources.push_back(source.tensor);
      if (sources.size() == 2) rule.second_dims = second_dims(map.sources, sources);
      result.tensor = result_.tensor_of(rule, map.result.name);
    }
    produce(map.result, result);
  }

  // Of two arrays that may be partial when they are added, which hold no term in common.
  std::optional<int> stated_sum(const Elementwise& map, const std::vector<NamedArray>& sources) {
    const auto is_partial = [](const ArrayType& type) { return !type.sharding.unreduced.empty(); };
    if (map.function != MapFunction::kAdd || has_constant(sources) || sources[0].dims != sources[1].dims) return {};
    if (std::none_of(map.sources.begin(), map.sources.end(), is_partial)) return std::nullopt;
    const std::vector<int> first = result_.summands_of(sources[0].tensor);
    const std::vector<int> second = result_.summands_of(sources[1].tensor);
    std::vector<int> all;
    std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all));
    const auto is_too_long = [this](int tensor) {
      return result_.tensors[static_cast<std::size_t>(tensor)].terms.num_dims() + 1 > kMaxDims;
    };
    if (std::adjacent_find(all.begin(), all.end()) != all.end() || std::any_of(all.begin(), all.end(), is_too_long))
      return std::nullopt;
    result_.stated_sums.push_back(all);
    const int sum = *result_.sum_of(sources[0].tensor, sources[1].tensor);
    result_.tensors[static_cast<std::size_t>(sum)].name = map.result.name;
    return sum;
  }

  static bool has_constant(const std::vector<NamedArray>& arrays) {
    return std::any_of(arrays.begin(), arrays.end(), [](const NamedArray& array) { return array.tensor < 0; });
  }

  static std::vector<int> second_dims(const std::vector<ArrayType>& types, const std::vector<NamedArray>& arrays) {
    std::vector<int> dims(types[0].dims.size(), kNoDim);
    for (std::size_t d = 0; d < types[1].dims.size(); ++d) {
      const auto in_first = static_cast<std::size_t>(dim_of(types[0], types[1].dims[d].index));
      dims[static_cast<std::size_t>(arrays[0].dims[in_first])] = arrays[1].dims[d];
    }
    return dims;
  }

  // A rule for the same product, if there is one: its result is the same tensor.
  const ProductRule* find_same(const ProductRule& rule) const {
    for (const ProductRule& known : result_.products)
      if (known.a == rule.a && known.b == rule.b && known.a_index == rule.a_index && known.b_index == rule.b_index &&
          known.contracted == rule.contracted)
        return &known;
    return nullptr;
  }

  // The same product with B as its first operand, its indices numbered as if it had been written so.
  static ProductRule swapped(const ProductRule& rule) {
    std::vector<int> order;
    const auto numbered = [&order](const std::vector<int>& indices) {
      std::vector<int> numbers;
      for (const int index : indices) {
        const auto found = std::find(order.begin(), order.end(), index);
        numbers.push_back(static_cast<int>(found - order.begin()));
        if (found == order.end()) order.push_back(index);
      }
      return numbers;
    };
    ProductRule result{rule.b, rule.a, rule.c, numbered(rule.b_index), {}, {}, {}, rule.counts_terms};
    result.b_index = numbered(rule.a_index);
    result.c_index = numbered(rule.c_index);
    result.contracted = numbered(rule.contracted);
    return result;
  }

  static int number_of(const std::string& index, std::vector<std::string>& indices) {
    const auto found = std::find(indices.begin(), indices.end(), index);
    const auto number = static_cast<int>(found - indices.begin());
    if (found == indices.end()) indices.push_back(index);
    return number;
  }

  static NamedArray identity(const ArrayType& type, int tensor) {
    NamedArray array{&type, tensor, {}};
    for (int d = 0; d < type.num_dims(); ++d) array.dims.push_back(d);
    return array;
  }

  // The terms of the product are those of its factors too. Where these are too many, factors that the statement says are
  // complete have to be so when they are multiplied.
  bool add_product_tensor(const Product& product, const NamedArray& a, const NamedArray& b, ProductRule& rule) {
    Tensor tensor{product.c.name, global_shape(product.c), {}, {}};
    std::vector<Interval> terms;
    for (const std::string& index : index_roles(product).contracted) {
      terms.push_back({0, product.a.dims[static_cast<std::size_t>(dim_of(product.a, index))].size});
      tensor.term_names.push_back(index);
    }
    const std::size_t num_contracted = terms.size();
    bool has_sum = false;
    for (const NamedArray* input : {&a, &b}) {
      if (input->tensor == kOnes) continue;
      const Tensor& factor = result_.tensors[static_cast<std::size_t>(input->tensor)];
      has_sum |= !factor.summands.empty();
      terms.insert(terms.end(), factor.terms.begin(), factor.terms.end());
      for (const std::string& name : factor.term_names)
        tensor.term_names.push_back(fmt::format("{} of {}", name, factor.name));
    }
    const auto fits = [&] {
      return !has_sum && terms.size() <= kMaxDims && bounded_size(Box(std::span<const Interval>(terms)));
    };
    if (!fits() && product.a.sharding.unreduced.empty() && product.b.sharding.unreduced.empty()) {
      rule.counts_terms = false;
      has_sum = false;
      terms.resize(num_contracted);
      tensor.term_names.resize(num_contracted);
    }
    if (fits())
      tensor.terms = Box(std::span<const Interval>(terms));
    else
      fault(
          fmt::format("the elements of {} are sums over {} indices and unreduced axes; at most {}, and fewer than "
                      "2^62 terms, can be checked",
                      product.c.name, terms.size(), kMaxDims));
    result_.tensors.push_back(std::move(tensor));
    return fits();
  }

  NamedArray consume(const ArrayType& type) {
    consumed_.push_back(type.name);
    const auto earlier = result_.outputs.find(type.name);
    if (earlier != result_.outputs.end()) return same_shape(earlier->second, type);
    const auto known = result_.inputs.find(type.name);
    if (known != result_.inputs.end()) return same_shape(known->second, type);
    Tensor tensor{type.name, global_shape(type), {}, {}};
    if (!type.sharding.unreduced.empty()) {
      tensor.terms.push_back({0, contract_.mesh.size(type.sharding.unreduced)});
      tensor.term_names.push_back("U_" + notation::axes_text(type.sharding.unreduced, contract_.mesh));
    }
    result_.tensors.push_back(std::move(tensor));
    const NamedArray array = identity(type, static_cast<int>(result_.tensors.size()) - 1);
    result_.inputs.emplace(type.name, array);
    return array;
  }

  NamedArray same_shape(const NamedArray& known, const ArrayType& type) {
    if (global_shape(*known.type) == global_shape(type)) return known;
    fault(fmt::format("array {} has the shape {} in one statement and {} in another", type.name,
                      shape_text(global_shape(*known.type)), shape_text(global_shape(type))));
    return identity(type, known.tensor);
  }

  void produce(const ArrayType& type, const NamedArray& array) {
    std::erase(consumed_, type.name);
    std::erase(produced_, type.name);
    produced_.push_back(type.name);
    result_.outputs.insert_or_assign(type.name, array);
  }

  const Contract& contract_;
  std::vector<Finding>& findings_;
  ResolvedContract result_;
  std::vector<std::string> produced_;  // by some statement
  std::vector<std::string> consumed_;  // since it was produced last
};

}  // namespace

int ResolvedContract::tensor_of(const FunctionRule& rule, const std::string& name) {
  const auto [known, is_new] = functions.try_emplace(rule, static_cast<int>(tensors.size()));
  if (!is_new) return known->second;
  std::vector<std::string> sources;
  for (const int source : rule.sources) sources.push_back(tensors[static_cast<std::size_t>(source)].name);
  const std::string default_name = fmt::format("{}({})", meshmul::name(rule.function), fmt::join(sources, ", "));
  const Shape shape = tensors[static_cast<std::size_t>(rule.sources.front())].shape;
  tensors.push_back({name.empty() ? default_name : name, shape, Box{}, {}});
  return known->second;
}

std::int64_t ResolvedContract::num_terms(int tensor) const {
  std::int64_t sum = 0;
  for (const int summand : summands_of(tensor)) sum += tensors[static_cast<std::size_t>(summand)].terms.num_elements();
  return sum;
}

std::vector<int> ResolvedContract::summands_of(int tensor) const {
  const std::vector<int>& summands = tensors[static_cast<std::size_t>(tensor)].summands;
  return summands.empty() ? std::vector<int>{tensor} : summands;
}

std::optional<int> ResolvedContract::sum_of(int a, int b) {
  const std::vector<int> first = summands_of(a);
  const std::vector<int> second = summands_of(b);
  std::vector<int> all;
  std::set_union(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all));
  const auto is_part = [&](const std::vector<int>& stated) {
    return std::includes(stated.begin(), stated.end(), all.begin(), all.end());
  };
  if (std::none_of(stated_sums.begin(), stated_sums.end(), is_part)) return std::nullopt;
  const auto [known, is_new] = sums.try_emplace(all, static_cast<int>(tensors.size()));
  if (is_new) {
    const Tensor& like = tensors[static_cast<std::size_t>(a)];
    tensors.push_back(
        {fmt::format("{} + {}", like.name, tensors[static_cast<std::size_t>(b)].name), like.shape, {}, {}, all});
  }
  return known->second;
}

Box lifted(int tensor, const Box& terms) {
  Box box{{tensor, tensor + 1}};
  for (const Interval& interval : terms) box.push_back(interval);
  while (box.num_dims() < kMaxDims) box.push_back({0, 1});
  return box;
}

ResolvedContract resolve_contract(const Contract& contract, std::vector<Finding>& findings) {
  return Resolver(contract, findings).resolve();
}

Box terms_of_input(const ArrayType& type, const Mesh& mesh, int rank) {
  if (type.sharding.unreduced.empty()) return {};
  const std::int64_t position = mesh.group_index(rank, type.sharding.unreduced);
  return Box{{position, position + 1}};
}

}  // namespace meshmul::verification
