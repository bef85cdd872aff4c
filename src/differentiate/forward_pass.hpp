#pragma once
// The forward pass of a program with gradients: its statements as they were, plus what the backward pass will read.

#include <map>
#include <set>
#include <vector>

#include "differentiate/program_writer.hpp"
#include "differentiate/recompute_policy.hpp"
#include "meshmul/program.hpp"

namespace meshmul {

class ForwardPass {
 public:
  /// `kept` is what the backward pass will read: nothing at first, then what was found to be read.
  ForwardPass(const Program& source, const RecomputePolicy& policy, const std::set<Saved>& kept, ProgramWriter& writer);

  void copy(const ProgramStatement& statement) { copy(statement, Where::kProgram); }
  void copy(const Repeat& loop);
  /// Of a value of the source. Adds it, if it is new.
  ValueId copy_value(ValueId value);
  void set_copy(ValueId value, ValueId copy) { copies_[static_cast<std::size_t>(value)] = copy; }

  /// What was made may be made again from here on: a new backward pass, or a new loop of it.
  void forget_program() { again_outside_.clear(); }
  void forget_loop() { again_in_loop_.clear(); }

  /// What a statement of the forward pass read, for the backward pass of the same statement.
  Use read(const Use& use);
  Use read(const Saved& saved);

  /// What `read` has taken from the forward pass, and what it has computed again.
  const std::set<Saved>& kept() const { return read_kept_; }
  std::vector<Activation> activations() const;

 private:
  void copy(const ProgramStatement& statement, Where where);
  void copy(const ProductStatement& statement, Where where);
  ValueId add_preactivation(const ProductStatement& statement);
  void stack(const Saved& saved, Repeat& loop);
  ValueId copied(ValueId value) const { return copies_[static_cast<std::size_t>(value)]; }
  Use copied(const Use& use) const { return {copied(use.value), use.sliced}; }
  ValueId compute_again(const Saved& saved, Where where);
  std::string name_of(const Saved& saved) const;

  const Program& source_;
  const RecomputePolicy& policy_;
  const std::set<Saved> to_keep_;
  ProgramWriter& writer_;
  std::vector<ValueId> copies_;                  // by value of the source
  std::vector<const Repeat*> loops_;             // by value: in which it is made, or begins a pass
  std::vector<const ProgramStatement*> makers_;  // by value
  std::map<Saved, ValueId> preactivations_;      // that were split off
  std::map<Saved, ValueId> stacks_;              // of what loops make
  std::map<Saved, ValueId> again_outside_, again_in_loop_;
  std::set<Saved> read_kept_;
  std::set<Saved> read_again_;
};

}  // namespace meshmul
