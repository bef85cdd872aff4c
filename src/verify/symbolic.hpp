#pragma once
// What coverage knows at one moment of a run: the tensors, the sets of terms, and the value of every buffer.

#include <string>
#include <vector>

#include "contract.hpp"
#include "meshmul/schedule.hpp"
#include "terms.hpp"
#include "values.hpp"

namespace meshmul::verification {

class SymbolicState {
 public:
  /// As the host leaves it: every input holding has its elements, all else is undefined. The schedule is well-formed.
  explicit SymbolicState(const Schedule& schedule);

  const Schedule& schedule() const { return schedule_; }
  const ResolvedContract& contract() const { return contract_; }
  const Tensor& tensor(int number) const { return contract_.tensors[static_cast<std::size_t>(number)]; }
  TermSets& terms() { return terms_; }
  const TermSets& terms() const { return terms_; }

  /// The value of the whole buffer that `region` lies in.
  Value& value(const Region& region) { return values_[index_of(region)]; }
  const Value& value(const Region& region) const { return values_[index_of(region)]; }

  /// True if `piece` has every term of its elements.
  bool is_complete(const Piece& piece) const;

  /// As `sum` of pieces of one tensor; and of pieces of two that a statement adds before they are complete.
  std::optional<Piece> add(const Piece& a, const Piece& b);
  /// The same for a piece and what is on its box.
  std::optional<Value::Clash> add(Value& value, const Piece& piece) {
    return value.add(piece, [this](const Piece& a, const Piece& b) { return add(a, b); });
  }

  /// As ResolvedContract::tensor_of.
  int tensor_of(const FunctionRule& rule) { return contract_.tensor_of(rule); }

  /// `C[0:2, 0:5] with J 0:3`, `A[0:2, 0:3] permuted 1 0`, `zeros`
  std::string text(const Piece& piece) const;
  /// The same for the elements that `placement` has in `box`, with all their terms.
  std::string complete_text(const Placement& placement, const Box& box) const;
  /// `J 0:3 and J 4:6`, `no term`
  std::string terms_text(int tensor, const std::vector<Box>& terms) const;

 private:
  int lifted_terms(const Piece& piece);
  std::string elements_text(const Piece& piece) const;
  std::size_t index_of(const Region& region) const {
    return static_cast<std::size_t>(region.rank) * schedule_.buffers.size() + static_cast<std::size_t>(region.buffer);
  }

  const Schedule& schedule_;
  ResolvedContract contract_;
  TermSets terms_;
  std::vector<Value> values_;  // by rank and buffer
};

/// Where the elements of `global`, a box of `array`, lie when they are held at `held`.
Placement placement_of(const NamedArray& array, const Box& global, const Box& held);

}  // namespace meshmul::verification
