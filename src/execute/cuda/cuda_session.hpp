#pragma once
// A schedule loaded on GPUs: its buffers and signals lie on the devices, its lanes are kernels.

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "execute/cpu/signal_words.hpp"
#include "execute/cuda/device_program.hpp"
#include "execute/cuda/pinned_memory.hpp"
#include "execute/cuda/streams.hpp"
#include "execute/cuda/world_memory.hpp"
#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"

namespace meshmul::cuda {

/// `buffer` gives memory of the host that mirrors that of the device: what was handed out since the last run is copied
/// to the device before the next one, and what a run may have changed is copied back when it is asked for. So a span is
/// good until the next run alone.
class CudaSession final : public Session {
 public:
  /// `devices`: of each rank. What `checked`, WorldMemory, `plan_work` and DeviceProgram throw.
  CudaSession(Schedule schedule, ExecuteOptions options, std::vector<int> devices);
  ~CudaSession() override;

  std::span<std::byte> buffer(int rank, int buffer) override;
  std::byte* device_buffer(int rank, int buffer) override;
  using Session::run;
  RunReport run(std::int64_t times) override;
  std::optional<Timeline> timeline() const override;
  void reset() override;

 private:
  struct Mirror {
    PinnedMemory memory;
    bool handed_out = false;  ///< since the last run: the host may have written it
    bool current = false;     ///< holds what the device holds
  };

  void build();
  void write_mirrors();
  void wait_for_end();
  std::uint32_t state_of_record() const;
  std::string describe(const ExpiredWait& expired) const;

  Schedule schedule_;
  ExecuteOptions options_;
  std::vector<int> devices_;
  SignalWords words_;
  std::map<std::pair<int, int>, Mirror> mirrors_;  // by rank and buffer
  PinnedMemory expired_;
  WaitControl control_;  // `abort` is of each device
  std::unique_ptr<WorldMemory> memory_;
  std::unique_ptr<DeviceProgram> program_;
  std::unique_ptr<Streams> streams_;
  std::uint64_t runs_ = 0;
  std::optional<Error> failure_;
};

}  // namespace meshmul::cuda
