#pragma once
// A schedule as launches on streams, with every name and box resolved to device memory.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "execute/cpu/signal_words.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "execute/cuda/launch_plan.hpp"
#include "execute/cuda/product_form.hpp"
#include "execute/cuda/world_memory.hpp"
#include "execute/steps.hpp"

namespace meshmul::cuda {

/// A run of products by the product kernel.
struct ProductsStep {
  std::unique_ptr<GemmRun> run;
};
/// Waits for a word: what a product kernel raises comes long before that kernel ends.
struct WaitStep {
  SignalWait wait;
};
/// Goes on behind another step, which raises what is waited for when it is done.
struct AfterStep {
  std::size_t step = 0;
};
/// Only raises.
struct NoStep {};

/// What is done for one launch: the work, and then the raises. A GemmStep is a product that the kernel cannot do.
struct Step {
  Launch launch;
  std::variant<NoStep, ProductsStep, GemmStep, CopyStep, ReduceStep, MapStep, WaitStep, AfterStep> work;
  std::vector<SignalRaise> raises;  ///< of words that some kernel waits for
  bool is_awaited = false;          ///< by an AfterStep
};

/// A schedule as steps in the order in which they are launched. The product kernels of all lanes fit on their device
/// together, beside 8 multiprocessors for other work if lanes have any that takes one.
class DeviceProgram {
 public:
  DeviceProgram(const Schedule& schedule, const WorldMemory& memory, const SignalWords& words,
                const WaitControl& control);

  const std::vector<Step>& steps() const { return steps_; }
  /// Products that the kernel cannot do, and the slow way does: the number of gemm ops, of all ranks.
  int num_plain_products() const { return num_plain_products_; }
  int num_kernel_products() const { return num_kernel_products_; }

 private:
  std::vector<Step> steps_;
  int num_plain_products_ = 0;
  int num_kernel_products_ = 0;
};

/// Enqueues the work and the raises of a step that is no AfterStep. The device of its rank is current.
void enqueue(const Step& step, const WorldMemory& memory, const WaitControl& control, cudaStream_t stream);

}  // namespace meshmul::cuda
