#pragma once
// The backward pass of one grad statement: from the last statement to the first, the gradient with respect to what it makes
// becomes gradients with respect to what it reads.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "differentiate/forward_pass.hpp"
#include "differentiate/program_writer.hpp"
#include "meshmul/program.hpp"

namespace meshmul {

class BackwardPass {
 public:
  /// Of `grad`, which the first `num_items` items of the source come before.
  BackwardPass(const Program& source, const GradStatement& grad, std::size_t num_items, ForwardPass& forward,
               ProgramWriter& writer);
  void write();

 private:
  /// Gradients so far, by value of the source; and of slices of given arrays, in the pass at hand of a loop.
  struct Scope {
    Where where = Where::kProgram;
    std::map<ValueId, Use> gradients;
    std::map<ValueId, Use> slices;
  };

  // One rule for each kind of statement.
  void go_back(const ProgramStatement& statement, Scope& scope);
  void go_back(const ProductStatement& statement, const Use& gradient, Scope& scope);
  void go_back(const MapStatement& statement, const Use& gradient, Scope& scope);
  void go_back_to_vector(const MapStatement& statement, const Use& gradient, Scope& scope);
  Use through_function(const ProductStatement& statement, const Use& gradient, Scope& scope);
  [[noreturn]] void refuse_second_gradient(const MapStatement& statement) const;

  /// Adds to what is known of the gradient with respect to `to`, if any is wanted.
  void contribute(const Use& to, const Use& gradient, Scope& scope);

  void keep_apart(ValueId first, ValueId second, ValueId sum);
  std::set<ValueId> summands_of(ValueId gradient) const;

  // backward_loop.cpp
  void go_back(const Repeat& loop);
  std::vector<ValueId> outside_arrays(const Repeat& loop) const;
  Carry begin_carry(const ArrayType& type, std::optional<Use> known);
  ValueId own_value(const std::optional<Use>& gradient, const ArrayType& type, Scope& pass);
  void end_carry(Carry& carry, ValueId end);
  void stack_slices(Repeat& backward, Scope& pass);

  // What comes out, called as the program says.
  void finish(ValueId array, ValueId result);
  void finish_stack(ValueId array, ValueId result, ValueId stack);
  bool may_become(ValueId gradient, ValueId result) const;

  Use make_product(const Use& a, const Use& b, const ArrayType& type, const std::string& name, Scope& scope);
  Use make_map(MapFunction function, std::vector<Use> sources, const ArrayType& type, const std::string& name,
               Scope& scope);
  /// With dtype and order of dimensions of `type`.
  Use converted(const Use& use, const ArrayType& type, Scope& scope);
  Use with_dtype(const Use& use, Dtype dtype, Scope& scope);

  bool is_active(const Use& use) const { return active_[static_cast<std::size_t>(use.value)]; }
  ArrayType source_type(const Use& use) const { return type_of(source_, use); }
  static std::string gradient_name(const ArrayType& type) { return "d" + type.name; }

  const Program& source_;
  const GradStatement& grad_;
  const std::size_t num_items_;
  ForwardPass& forward_;
  ProgramWriter& writer_;
  const std::vector<bool> active_;  // by value of the source
  Scope program_;
  std::map<ValueId, std::set<ValueId>> summands_;  // of gradients that are sums, or copies
  std::map<ValueId, ValueId> stacks_;              // by given array: the gradients with respect to its slices
  std::set<ValueId> own_;                          // made by statements of this pass
  std::set<ValueId> taken_;                        // results that are one certain gradient, and can be no other
};

}  // namespace meshmul
