#pragma once
// Which GPU each rank gets.

#include <optional>
#include <vector>

namespace meshmul::cuda {

/// The number, from 0, of the GPU of each rank: so many neighbours on the first one, the next ones on the second.
/// Without `ranks_per_gpu` as few on each as `num_gpus`, at least 1, allow. Throws Error(kInvalidArgument) if that is
/// less than 1, or if more GPUs would be needed than there are.
std::vector<int> place_ranks(int num_ranks, int num_gpus, std::optional<int> ranks_per_gpu);

}  // namespace meshmul::cuda
