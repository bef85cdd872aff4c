#pragma once
// A schedule as kernels, with every name and box resolved to device memory.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "execute/cpu/signal_words.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/device_op_times.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "execute/cuda/lane_run.hpp"
#include "execute/cuda/pinned_memory.hpp"
#include "execute/cuda/streams.hpp"
#include "execute/cuda/world_memory.hpp"

namespace meshmul::cuda {

/// What one device does, beside products: the tasks of the lanes of its ranks.
struct DevicePart {
  int device = 0;
  std::uint64_t* epoch = nullptr;
  DeviceMemory abort;  ///< a word for WaitControl
  LaneState state;
  DeviceMemory products_done;  ///< words that count the awaited products of each lane
  DeviceMemory times;  ///< if they are recorded: of all ops of the schedule, and then of the beginning of the run
  std::unique_ptr<LaneRun> lanes;

  DeviceOpTimes* begin_times(std::size_t num_ops) const {
    return times.num_bytes() == 0 ? nullptr : times.as<DeviceOpTimes>() + num_ops;
  }
};

/// A run of products of one lane, which has a stream of its own.
struct ProductsPart {
  std::size_t stream = 0;
  int device = 0;
  std::unique_ptr<GemmRun> run;
};

/// The product kernels of all lanes fit on their device together, beside the kernel of lanes.
class DeviceProgram {
 public:
  /// Throws Error(kUnsupported) if more lanes of a device multiply than it has multiprocessors.
  DeviceProgram(const Schedule& schedule, const WorldMemory& memory, const SignalWords& words,
                const WaitControl& control, bool record);

  const std::vector<DevicePart>& devices() const { return devices_; }
  /// In the order in which they are launched.
  const std::vector<ProductsPart>& products() const { return products_; }
  StreamLayout stream_layout() const;

  /// Gives one run to `streams`.
  void enqueue(const Streams& streams) const;
  /// Lets all waits of runs that were enqueued pass, so that these come to their ends; results do not count then.
  void abort(const Streams& streams) const;

  /// What a device noted of the last run, which is over: of all ops, and then of its beginning.
  std::vector<DeviceOpTimes> read_times(const DevicePart& part) const;

  /// Products that the kernel cannot do, and plain loops do: the number of gemm ops, of all ranks.
  int num_plain_products() const { return num_plain_products_; }
  int num_kernel_products() const { return num_kernel_products_; }
  /// Ops that product kernels do as their epilogues.
  int num_absorbed_ops() const { return num_absorbed_ops_; }

 private:
  friend class DeviceProgramBuilder;
  std::vector<DevicePart> devices_;
  std::vector<ProductsPart> products_;
  PinnedMemory one_{sizeof(std::uint32_t)};
  std::size_t num_ops_ = 0;
  int num_plain_products_ = 0;
  int num_kernel_products_ = 0;
  int num_absorbed_ops_ = 0;
};

}  // namespace meshmul::cuda
