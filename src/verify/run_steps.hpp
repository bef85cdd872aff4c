#pragma once
// The ops of a run in their order. A run goes from lane to lane all over memory, so that memory would be waited for at almost
// every op; they are fetched into the cache ahead of time.

#include <cstddef>

#include "meshmul/schedule.hpp"
#include "token_run.hpp"

namespace meshmul::verification {

/// How many ops ahead is far enough.
inline constexpr std::size_t kAhead = 8;

inline void prefetch(const Op& op) {
  constexpr std::size_t kCacheLine = 64;
  const auto* bytes = reinterpret_cast<const std::byte*>(&op);
  for (std::size_t i = 0; i < sizeof(Op); i += kCacheLine) __builtin_prefetch(bytes + i);
}

inline const Op& op_at(const Schedule& schedule, const OpPlace& place) {
  const RankProgram& program = schedule.ranks[static_cast<std::size_t>(place.rank)];
  return program.lanes[static_cast<std::size_t>(place.lane)].ops[static_cast<std::size_t>(place.op)];
}

/// Calls `visit(place, op)` for each step of `run`, which is one of `schedule`.
template <class Visit>
void for_each_step(const Schedule& schedule, const TokenRun& run, Visit visit) {
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (i + kAhead < run.steps.size()) prefetch(op_at(schedule, run.steps[i + kAhead]));
    visit(run.steps[i], op_at(schedule, run.steps[i]));
  }
}

}  // namespace meshmul::verification
