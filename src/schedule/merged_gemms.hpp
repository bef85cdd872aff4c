#pragma once
// Neighbouring gemms of a lane that are one product. Where the shards of a buffer lie one after another in memory by rank,
// those of several ranks are one array, and gemms that read, or write, one shard each are one gemm of that array.

#include <span>
#include <string>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// One product in place of gemms of a lane. Regions begin in the shard of their rank; along the first dimension they may
/// reach into those of the ranks behind it.
struct MergedGemm {
  std::vector<int>
      ops;  ///< the numbers of the gemms in their lane, ascending; the product takes the place of the first
  Region c, a, b;
  bool accumulate = false;
};

/// The products that take the place of the gemms in `lane`, in order; those that have no neighbour are there unchanged. Gemms
/// are joined along an index of C, or along a contracted one where all but the first accumulate, if no wait, raise or other
/// op stands between them and none reads what another one writes.
std::vector<MergedGemm> merged_gemms(const Schedule& schedule, const Lane& lane);

}  // namespace meshmul
