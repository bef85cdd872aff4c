#include "poison.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace meshmul {

std::byte poison_of(Dtype dtype) {
  // Ones are NaN in every float.
  return accumulator_of(dtype) == Dtype::kI32 ? std::byte{0x7F} : std::byte{0xFF};
}

void poison(std::span<std::byte> bytes, Dtype dtype) { std::ranges::fill(bytes, poison_of(dtype)); }

void poison_shared_buffers(const Schedule& schedule, const WorldMemory& memory) {
  std::set<std::pair<int, int>> inputs;
  for (const Holding& holding : schedule.contract.inputs) inputs.emplace(holding.region.rank, holding.region.buffer);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (int buffer = 0; buffer < static_cast<int>(schedule.buffers.size()); ++buffer)
      if (!inputs.contains({rank, buffer}))
        poison(memory.buffer(rank, buffer), schedule.buffers[static_cast<std::size_t>(buffer)].dtype);
}

void poison_own_buffers(const Schedule& schedule, const OwnHeap& heap) {
  for (int buffer = 0; buffer < static_cast<int>(schedule.buffers.size()); ++buffer)
    poison(heap.buffer(buffer), schedule.buffers[static_cast<std::size_t>(buffer)].dtype);
}

}  // namespace meshmul
