#pragma once
// The strategies by which people shard models: which arrays are weights, what each strategy does with them, and which of
// them a finished plan is.

#include <optional>
#include <vector>

#include "meshmul/program_plan.hpp"
#include "plan/packed_sharding.hpp"
#include "plan/paths.hpp"

namespace meshmul {

/// By value. Weights are the given arrays that products take, without the data of the batch: the first array of a
/// product of two given ones, unless loops take slices of it; and without the gradients that come in.
std::vector<bool> weights_of(const Program& program);

/// What a search may do: everything, or only what a strategy does.
class StrategyRules {
 public:
  /// Everything.
  StrategyRules() = default;
  /// `all_axes` are those of the mesh. Not for kMixed.
  StrategyRules(Strategy strategy, AxisSet all_axes) : strategy_(strategy), all_axes_(all_axes) {}

  /// Whether an array may lie so outside of statements.
  bool allows_at_rest(bool is_weight, const PackedSharding& sharding) const;
  /// Whether it may lie as `at_work` at the product or function that reads or makes it, where `path` leads from, or to,
  /// `at_rest`.
  bool allows_at_work(bool is_weight, const PackedSharding& at_rest, const PackedSharding& at_work,
                      const Path& path) const;

 private:
  std::optional<Strategy> strategy_;
  AxisSet all_axes_ = 0;
};

/// The strategy of a plan; nothing if the program has no weights.
std::optional<Strategy> strategy_of(const PlannedProgram& planned, const Mesh& mesh);

}  // namespace meshmul
