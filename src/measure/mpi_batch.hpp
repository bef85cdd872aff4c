#pragma once
// What meshmul asks of the program that runs MPI's collectives: so many calls of one collective. Records go through named
// pipes, on which the ranks sleep between batches.

#include <cstdint>

#include "meshmul/statement.hpp"

namespace meshmul::measure {

/// To every rank, on the pipe `rank0`, `rank1`, … . Each call copies the contribution from elsewhere to where MPI reads it,
/// and does the collective; nothing is in between. The answer is one double, on the pipe `answers`: the seconds of all
/// calls from the first rank's begin, which is behind a barrier, to the last rank's end.
struct MpiBatch {
  CollectiveKind collective = CollectiveKind::kAllGather;
  std::int32_t calls = 0;
  std::int64_t bytes = 0;  ///< of one rank's contribution, of floats; of an AllToAll to all ranks together
};

}  // namespace meshmul::measure
