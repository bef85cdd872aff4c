#pragma once
// Who does which op of a schedule on a device: products the product kernel, run by run; all else, as tasks, the kernel
// of lanes. And what has to come before what.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "execute/cuda/planned_epilogue.hpp"
#include "execute/cuda/sum_chains.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"

namespace meshmul::cuda {

/// What comes before a task or a product.
struct Need {
  enum class Of {
    kSignal,   ///< op `op` of the lane, which is a Wait, passes
    kTask,     ///< task `index` of the lane, and all tasks ahead of it, are done
    kProduct,  ///< product `index` of the lane, and all products ahead of it, are done
  };
  Of of = Of::kSignal;
  int index = 0;
  int op = 0;  ///< of the lane: the Wait, or the op that needs it
  bool operator==(const Need&) const = default;
};

/// A raise of a signal to `value` in each run.
struct Raised {
  int rank = 0;
  int signal = 0;
  std::uint64_t value = 0;
  bool operator==(const Raised&) const = default;
};

/// What the kernel of lanes does as one: an op, or several that are a sum. Tasks of a lane may be under way together, but each counts as done, and raises,
/// behind all that are ahead of it. A Signal has no work; nor has what only raises for a product.
struct Task {
  int rank = 0;
  int lane = 0;
  int op = 0;       ///< the first one
  int last_op = 0;  ///< all ops up to this one but waits are done with it
  bool works = true;
  std::optional<SumChain> sum = {};  ///< what it does if it is not `op` alone
  std::vector<Need> needs;
  std::vector<Raised> raises;
};

/// A gemm that the product kernel does.
struct PlannedProduct {
  int op = 0;
  std::vector<Need> needs;
  std::vector<Need> epilogue_needs;  ///< before the operands of the epilogue are read, or the result is written
  std::vector<Raised> raises;
  std::optional<Region> result;             ///< where not the region that the gemm names is written
  std::optional<PlannedEpilogue> epilogue;  ///< behind this part, which is the last one of the sum
  bool continues = false;                   ///< goes on with the sum of the product ahead of it
  bool may_join = false;                    ///< nothing looks at the product ahead of it before this one is done too
  bool is_awaited = false;                  ///< by a Need
};

/// Gemms of a lane that one kernel does, one after the other.
struct ProductRun {
  int rank = 0;
  int lane = 0;
  int first_product = 0;  ///< of the lane
  std::vector<PlannedProduct> products;
};

struct WorkPlan {
  /// Of each lane that has any, in its order: neighbours in this list.
  std::vector<Task> tasks;
  /// In the order in which they are launched. A lane does its runs one after the other. Whenever one is launched behind
  /// another of its lane, that one comes to its end by what has been launched until then: so streams may share queues.
  std::vector<ProductRun> runs;
  int num_absorbed_ops = 0;  ///< that products do as their epilogues
};

/// Says of a gemm which kind of product kernel does it, by a number; nothing if none can.
using KernelOf = std::function<std::optional<int>(int rank, const Gemm&)>;

/// Ops that a product does as its epilogue (plan_epilogues) are neither tasks nor products.
/// A lane may do a task and products at once, and products before tasks that stand ahead of them, as far as neither
/// reads or writes what the other one writes and all waits ahead of each have passed. Sums of several terms are one task
/// where that `can_sum`. Throws Error(kInvalidArgument) if some wait is never passed.
WorkPlan plan_work(const Schedule& schedule, const KernelOf& kernel_of, const CanEnd& can_end, const CanSum& can_sum);

}  // namespace meshmul::cuda
