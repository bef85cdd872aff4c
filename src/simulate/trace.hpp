#pragma once
// What an event loop notes down while it runs: when each op ran, which links it took, and what it had waited for.

#include <cstdint>
#include <vector>

namespace meshmul::simulation {

inline constexpr std::uint32_t kNobody = ~std::uint32_t{0};

/// One link of one transfer.
struct Use {
  std::int32_t link = 0;
  std::uint32_t transfer = 0;
  std::int64_t start_ps = 0;
  std::int64_t end_ps = 0;
  std::uint32_t queued_behind = kNobody;  ///< the use of this link whose end this one had to wait for
  std::uint32_t previous_hop = kNobody;   ///< the use of the link before it on the way
};

/// The event of an op that let a wait pass.
struct Cause {
  std::uint32_t op = kNobody;
  bool read_done = false;
};

struct Trace {
  std::vector<std::int64_t> start_ps, end_ps;  ///< by op
  std::vector<Cause> causes;                   ///< by op: of the waits that did not pass at once
  std::vector<Use> uses;                       ///< in the order in which links were taken
  std::vector<std::uint32_t> last_use;         ///< by transfer
  std::vector<std::uint32_t> behind;           ///< by op: the one whose end freed its core or engine, if it queued
  std::vector<std::int64_t> memory_start_ps;   ///< by op that works, where ranks share memories
  std::vector<std::uint32_t> memory_behind;  ///< by op that works: the one that the memory served before, if it queued
};

}  // namespace meshmul::simulation
