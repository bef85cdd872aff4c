#include "execute/cuda/world_memory.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <set>

#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {
namespace {

/// Each word has a sector of memory to itself.
constexpr std::int64_t kWordBytes = 32;
/// Rows of a buffer that are a multiple of 16 bytes long then begin where the copy engine of a multiprocessor can read
/// them.
constexpr std::int64_t kBufferAlignment = 256;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
}

}  // namespace

WorldMemory::WorldMemory(const Schedule& schedule, const std::vector<int>& devices)
    : schedule_(schedule), devices_(devices) {
  heap_bytes_ = aligned(kWordBytes * static_cast<std::int64_t>(1 + schedule.signals.size()));
  for (const BufferDecl& buffer : schedule.buffers) {
    offsets_.push_back(heap_bytes_);
    heap_bytes_ += aligned(buffer.num_bytes());
  }
  const std::set<int> distinct(devices.begin(), devices.end());
  const std::vector<int> peers(distinct.begin(), distinct.end());
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    heaps_.emplace_back(device(rank), static_cast<std::size_t>(heap_bytes_), peers);
    const CurrentDevice current(device(rank));
    check(cudaMemset(heaps_.back().data(), 0,
                     static_cast<std::size_t>(offsets_.empty() ? heap_bytes_ : offsets_.front())),
          "clearing signals");
    check(cudaMemset(heaps_.back().data(), 0xFF, sizeof(std::uint64_t)), "setting the number of the run");
    check(cudaDeviceSynchronize(), "setting up a rank");
  }
}

std::byte* WorldMemory::buffer(int rank, int buffer) const {
  return heaps_[static_cast<std::size_t>(rank)].data() + offsets_[static_cast<std::size_t>(buffer)];
}

View WorldMemory::view(const Region& region) const {
  const BufferDecl& decl = schedule_.buffers[static_cast<std::size_t>(region.buffer)];
  return view_of(buffer(region.rank, region.buffer), decl.dtype, decl.shape, region.box);
}

std::uint64_t* WorldMemory::epoch(int rank) const {
  const auto first = std::ranges::find(devices_, device(rank)) - devices_.begin();
  return reinterpret_cast<std::uint64_t*>(heaps_[static_cast<std::size_t>(first)].data());
}

std::uint64_t* WorldMemory::word(int rank, int signal) const {
  return reinterpret_cast<std::uint64_t*>(heaps_[static_cast<std::size_t>(rank)].data() + kWordBytes * (1 + signal));
}

}  // namespace meshmul::cuda
