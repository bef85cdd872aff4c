#include "buffers.hpp"

#include <algorithm>
#include <utility>

#include "effects.hpp"

namespace meshmul {

int add_buffer(Schedule& schedule, const std::string& name, Dtype dtype, Shape shape) {
  const auto is_taken = [&schedule](const std::string& candidate) {
    return std::any_of(schedule.buffers.begin(), schedule.buffers.end(),
                       [&](const BufferDecl& buffer) { return buffer.name == candidate; });
  };
  std::string free_name = name;
  for (int number = 2; is_taken(free_name); ++number) free_name = name + "." + std::to_string(number);
  schedule.buffers.push_back({std::move(free_name), dtype, std::move(shape), false});
  return static_cast<int>(schedule.buffers.size()) - 1;
}

void make_shared_buffers_symmetric(Schedule& schedule) {
  const auto share = [&schedule](const Region& region) {
    schedule.buffers[static_cast<std::size_t>(region.buffer)].symmetric = true;
  };
  for (const Holding& holding : schedule.contract.inputs) share(holding.region);
  for (const Holding& holding : schedule.contract.outputs) share(holding.region);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        const Effects effects = effects_of(op, rank);
        for (const auto* regions : {&effects.reads, &effects.writes})
          for (const Region& region : *regions)
            if (region.rank != rank) share(region);
      }
}

}  // namespace meshmul
