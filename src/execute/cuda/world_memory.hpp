#pragma once
// Where the buffers and signals of every rank lie on the devices.

#include <cstdint>
#include <memory>
#include <vector>

#include "execute/cpu/signal_words.hpp"
#include "execute/cuda/device_heap.hpp"
#include "execute/cuda/signals.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// All ranks of a schedule: each has its number of the run, its signals and its buffers in a heap of its own.
class WorldMemory {
 public:
  /// `devices`: of each rank. All words are as before the first run. What DeviceHeap throws.
  WorldMemory(const Schedule& schedule, const std::vector<int>& devices);

  int device(int rank) const { return devices_[static_cast<std::size_t>(rank)]; }
  std::byte* buffer(int rank, int buffer) const;
  View view(const Region& region) const;
  /// The number of the run, which `begin_run` counts up; -1 before the first one. One word for all ranks of a device.
  std::uint64_t* epoch(int rank) const;
  std::uint64_t* word(int rank, int signal) const;
  std::int64_t bytes_per_rank() const { return heap_bytes_; }

 private:
  const Schedule& schedule_;
  std::vector<int> devices_;
  std::vector<std::int64_t> offsets_;  ///< of the buffers in each heap
  std::int64_t heap_bytes_ = 0;
  std::vector<DeviceHeap> heaps_;
};

}  // namespace meshmul::cuda
