#pragma once
// How a controller watches over its ranks: it sleeps until they are done, and finds out why they never will be.

#include <chrono>
#include <functional>
#include <string>

#include "crew.hpp"
#include "meshmul/execute.hpp"
#include "world_memory.hpp"

namespace meshmul {

struct Watch {
  const WorldMemory& memory;
  Crew* crew = nullptr;  ///< null if ranks die and stop only with this process
  const ExecuteOptions& options;
  std::chrono::nanoseconds deadline{0};         ///< at least that of the options: room for the longest op
  std::function<std::string(int)> whereabouts;  ///< of a rank: `at lane compute, op 3 (line 41): …`
  std::function<std::string()> stall;           ///< why nothing moves
};

/// Sleeps until `done` holds, or until a rank says that the world is to stop. Throws Error(kRankFailed) if a rank dies,
/// or if none makes progress for longer than the deadline; the error of a rank that has failed; Error(kInterrupted).
/// Whoever makes `done` hold rings the controller.
void watch(const Watch& watch, const std::function<bool()>& done);

}  // namespace meshmul
