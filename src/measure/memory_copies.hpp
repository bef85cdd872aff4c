#pragma once
// What memory allows: all ranks copy so many bytes at once and do nothing else.

#include <cstdint>
#include <vector>

#include "execute/cpu/mapping.hpp"
#include "team.hpp"

namespace meshmul::measure {

/// Whose bytes each thread of a team copies to its own memory.
enum class CopySource { kOwn, kPeer };

class MemoryCopies {
 public:
  /// `bytes` by each thread. Keeps a reference to `team`. Throws Error(kOutOfMemory).
  MemoryCopies(Team& team, std::int64_t bytes, CopySource source);

  /// Each thread writes its source anew, then all copy: the seconds from the first begin to the last end of the copies.
  double seconds();

 private:
  Team& team_;
  CopySource source_;
  std::vector<MemoryMapping> sources_, targets_;  // by thread
  int round_ = 0;
};

}  // namespace meshmul::measure
