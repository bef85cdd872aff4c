#pragma once
// What the statements of a contract say about values: which tensors there are, what their elements are sums of, and
// which of them the inputs and outputs are.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "meshmul/map_function.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"

namespace meshmul::verification {

/// Something whose elements are sums of terms. An input, an output of a product and what a function makes is a tensor; a
/// change of sharding or of dtype makes no new one. The terms of an element are the points of a box: for a product, the
/// contracted indices, then the terms of a, then those of b; for an input with {U_X}, the position along X; for all else,
/// one single point.
struct Tensor {
  std::string name;
  Shape shape;
  Box terms;
  std::vector<std::string> term_names;  ///< one a dimension of `terms`: `J`, `U_X`
  /// Of arrays that are added before they are complete: these tensors, rising. The terms of the sum are theirs, each in a
  /// box that opens with the number of its tensor and has kMaxDims dimensions (`lifted`); `terms` says nothing then.
  std::vector<int> summands = {};
};

/// An array as statements and holdings name it: dimension d is dimension dims[d] of the tensor.
struct NamedArray {
  const ArrayType* type = nullptr;
  int tensor = 0;  ///< or kZeros, or kOnes
  std::vector<int> dims;
};

/// c = a * b. Each dimension of the three tensors has an index, a number; two with one number go together.
struct ProductRule {
  int a = 0, b = 0, c = 0;
  std::vector<int> a_index, b_index, c_index;
  std::vector<int> contracted;  ///< in the order in which they open the terms of c
  bool counts_terms = true;     ///< false: a and b must be complete, and the terms of c are `contracted` alone
};

/// An elementwise function of tensors. Functions of the same tensors at the same coordinates make the same tensor.
struct FunctionRule {
  MapFunction function = MapFunction::kConvert;
  std::vector<int> sources;
  /// Of two sources: for each dimension of the first the one of the second that goes along with it, or kNoDim.
  std::vector<int> second_dims;
  auto operator<=>(const FunctionRule&) const = default;
};
inline constexpr int kNoDim = -1;

struct ResolvedContract {
  std::vector<Tensor> tensors;
  std::vector<ProductRule> products;
  std::unordered_map<std::string, NamedArray> inputs;
  std::unordered_map<std::string, NamedArray> outputs;  ///< the last array of each name that a statement returns
  std::vector<std::string> required_outputs;            ///< those that no later statement uses, in order
  std::map<FunctionRule, int> functions;                ///< what they make
  std::map<std::vector<int>, int> sums;                 ///< by their summands
  std::vector<std::vector<int>> stated_sums;            ///< the summands of those that statements make

  /// What `rule` makes: an array of complete elements with the dimensions of its first source. A new tensor is called
  /// `name`, or if that is empty after its sources: `mul(S, V)`.
  int tensor_of(const FunctionRule& rule, const std::string& name = {});

  /// How many terms an element has.
  std::int64_t num_terms(int tensor) const;
  /// The tensors that are added to make this one, or itself.
  std::vector<int> summands_of(int tensor) const;
  /// The sum of two different tensors, as it or a part of it is made by a statement; nothing if none adds them.
  std::optional<int> sum_of(int a, int b);
};

/// A box of terms of tensor number `tensor` as one of a sum.
Box lifted(int tensor, const Box& terms);

/// Adds a finding for each statement that is not complete: sizes or shardings missing, names that mean two things.
/// The result may be used only if there was none; it points into `contract`.
ResolvedContract resolve_contract(const Contract& contract, std::vector<Finding>& findings);

/// Where the terms of an input of `type` with {U_…} lie at `rank`: its position along the unreduced axes.
Box terms_of_input(const ArrayType& type, const Mesh& mesh, int rank);

}  // namespace meshmul::verification
