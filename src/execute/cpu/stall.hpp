#pragma once
// Sentences about where ranks stand, for the errors of runs that failed.

#include <chrono>
#include <cstdint>
#include <string>

#include "meshmul/schedule.hpp"
#include "signal_words.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// The state of a world, as its control words show it. Ranks may still be moving.
struct WorldSight {
  const Schedule& schedule;
  const SignalWords& words;
  const WorldMemory& memory;
};

/// `at lane compute, op 3 (line 41): wait got >= 2, signal got: expected 2, seen 1`: the op of `rank` that is under way,
/// else the wait that holds its first unfinished lane, else `outside of a run`.
std::string describe_position(const WorldSight& sight, int rank);

/// Why nothing moves: the rank whose op does not end, or the waits that wait for each other, from one rank on to the
/// lane that has to raise its signal, until a lane that has ended, that nobody holds, or that was named before.
std::string describe_stall(const WorldSight& sight);

}  // namespace meshmul
