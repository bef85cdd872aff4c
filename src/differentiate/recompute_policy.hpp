#pragma once
// Which arrays of the forward pass are worth computing again.

#include <compare>
#include <vector>

#include "meshmul/differentiate.hpp"
#include "meshmul/program.hpp"

namespace meshmul {

/// A value of the forward pass; or with `is_preactivation` what the function of the product that makes it is applied to.
struct Saved {
  ValueId value = 0;
  bool is_preactivation = false;
  auto operator<=>(const Saved&) const = default;
};

/// Whether the gradient of `function` needs what it is applied to. That of relu sees all in what it returns.
bool needs_preactivation(MapFunction function);

class RecomputePolicy {
 public:
  /// Counts how many products an array is away from arrays that are kept: given ones, what a pass begins with, and what
  /// would take two products. A result of add, bias or convert next to kept arrays is kept itself: it stands for them.
  RecomputePolicy(const Program& program, Recompute recompute);

  bool is_recomputed(const Saved& saved) const {
    const Fate& fate = fates_[static_cast<std::size_t>(saved.value)];
    return saved.is_preactivation ? fate.preactivation_is_recomputed : fate.is_recomputed;
  }

 private:
  struct Fate {
    int num_products = 0;  ///< that lead to it from kept arrays, at most one
    bool is_recomputed = false;
    bool preactivation_is_recomputed = false;
  };

  void look_at(const std::vector<ProgramStatement>& statements);
  Fate fate_of(const ProductStatement& statement, int num_products) const;
  Fate fate_of(const MapStatement& statement, int num_products) const;

  const Recompute recompute_;
  std::vector<Fate> fates_;  // by value
};

}  // namespace meshmul
