#include "execute/cuda/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meshmul/error.hpp"

namespace meshmul::cuda {
namespace {

int quotient_rounded_up(int dividend, int divisor) { return dividend / divisor + (dividend % divisor == 0 ? 0 : 1); }

}  // namespace

std::vector<int> place_ranks(int num_ranks, int num_gpus, std::optional<int> ranks_per_gpu) {
  if (ranks_per_gpu && *ranks_per_gpu < 1)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} ranks per GPU; expected 1 at least", *ranks_per_gpu));
  const int on_each = ranks_per_gpu.value_or(std::max(quotient_rounded_up(num_ranks, num_gpus), 1));
  if (const int needed = quotient_rounded_up(num_ranks, on_each); needed > num_gpus)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} ranks, {} on each GPU, need {} GPUs of compute capability 9.0; this machine has {}; "
                            "expected {} ranks per GPU or more",
                            num_ranks, on_each, needed, num_gpus, quotient_rounded_up(num_ranks, num_gpus)));
  std::vector<int> gpus;
  for (int rank = 0; rank < num_ranks; ++rank) gpus.push_back(rank / on_each);
  return gpus;
}

}  // namespace meshmul::cuda
