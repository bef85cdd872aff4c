#pragma once
// What a gemm of two pieces adds to its output: which product of the contract it is, which elements, which terms.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "meshmul/schedule.hpp"
#include "symbolic.hpp"

namespace meshmul::verification {

/// Two pieces that no statement multiplies by such an einsum.
struct NoSuchProduct {};

/// Two pieces that meet in an index, but at different global coordinates of it.
struct MismatchedIndex {
  std::string index;
  Interval in_a, in_b;
};

/// A factor that has not all terms, in a product that does not count them.
struct IncompleteFactor {
  std::string name;
};

/// Nothing, if the two pieces do not meet.
using Contribution = std::variant<std::monostate, Piece, NoSuchProduct, MismatchedIndex, IncompleteFactor>;

class Products {
 public:
  explicit Products(SymbolicState& state) : state_(state) {}

  /// What piece `a` of op.a times piece `b` of op.b adds to op.c, in the coordinates of its buffer. Both hold elements
  /// of tensors.
  Contribution multiply(const Gemm& op, const Piece& a, const Piece& b);

 private:
  // One index of an einsum: its dimension in each operand that has it.
  struct Letter {
    int a = -1, b = -1, c = -1;
  };
  // An einsum over two tensors whose dimensions lie in a certain order, as a product of the contract.
  struct Match {
    std::string einsum;
    Placement a, b;  // offsets do not count
    bool exists = false;
    int c_tensor = 0;
    bool counts_terms = true;
    bool swapped = false;                        // a is the second input of the statement
    std::array<std::int8_t, kMaxDims> c_dims{};  // of c's dimensions
    std::vector<std::size_t> contracted;         // letters, in the order of the terms of c
  };

  const std::vector<Letter>& letters_of(const std::string& einsum);
  const Match& match(const Gemm& op, const Placement& a, const Placement& b);
  bool fits(const std::vector<Letter>& letters, const ProductRule& rule, Match& match) const;
  int terms_of(const Match& match, const std::vector<Interval>& contracted, int a, int b);

  SymbolicState& state_;
  std::unordered_map<std::string, std::vector<Letter>> letters_;
  std::deque<Match> matches_;  // few: one for each way in which a schedule multiplies
};

}  // namespace meshmul::verification
