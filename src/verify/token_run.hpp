#pragma once
// One greedy run of a schedule on counters alone. Since counters only grow and waits do not consume, which ops run and
// the final counters are the same in every order, so this one run decides deadlock.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::verification {

struct TokenRun {
  /// The ops that happened, in one legal order. A put or get is one step: it starts, reads and writes at one moment.
  std::vector<OpPlace> steps;
  /// For each lane that did not finish, the wait at which it stands.
  std::vector<OpPlace> stuck;
  /// The words at the end: signal s of rank r is counters[r * num_signals + s].
  std::vector<std::uint64_t> counters;
  /// The waits among the steps: mostly few, so that who asks about waits need not look at every op.
  struct PassedWait {
    OpPlace place;
    std::size_t word = 0;
    std::uint64_t threshold = 0;
  };
  std::vector<PassedWait> waits;
};

/// The schedule is well-formed. Linear in the number of ops.
TokenRun run_tokens(const Schedule& schedule);

}  // namespace meshmul::verification
