#include "poison.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace meshmul {
namespace {

// Ones are NaN in every float.
std::byte pattern(Dtype dtype) { return accumulator_of(dtype) == Dtype::kI32 ? std::byte{0x7F} : std::byte{0xFF}; }

}  // namespace

void poison_buffers(const Schedule& schedule, const WorldMemory& memory) {
  std::set<std::pair<int, int>> inputs;
  for (const Holding& holding : schedule.contract.inputs) inputs.emplace(holding.region.rank, holding.region.buffer);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (int buffer = 0; buffer < static_cast<int>(schedule.buffers.size()); ++buffer)
      if (!inputs.contains({rank, buffer}))
        std::ranges::fill(memory.buffer(rank, buffer),
                          pattern(schedule.buffers[static_cast<std::size_t>(buffer)].dtype));
}

}  // namespace meshmul
