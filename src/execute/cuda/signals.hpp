#pragma once
// The protocol of signals, one source for device and host. A word holds how often it was raised since it was made; each
// run raises it equally often, so that nothing is ever set back: in run x a wait for the v-th raise passes at x raises
// a run + v.

#include <cstdint>

#include "execute/cuda/gemm/host_device.hpp"

namespace meshmul::cuda {

/// Passes once `*word` has reached threshold + run x raises_per_run.
struct SignalWait {
  const std::uint64_t* word = nullptr;
  std::uint64_t raises_per_run = 0;
  std::uint64_t threshold = 0;
  std::int32_t op = 0;  ///< number of the wait among the ops of all ranks, for the record of a wait that ran out
};

/// Sets `*word` to value + run x raises_per_run, or leaves it where it is higher.
struct SignalRaise {
  std::uint64_t* word = nullptr;
  std::uint64_t raises_per_run = 0;
  std::uint64_t value = 0;
};

MESHMUL_HOST_DEVICE inline std::uint64_t expected_value(const SignalWait& wait, std::uint64_t run) {
  return wait.threshold + run * wait.raises_per_run;
}
MESHMUL_HOST_DEVICE inline std::uint64_t raised_value(const SignalRaise& raise, std::uint64_t run) {
  return raise.value + run * raise.raises_per_run;
}

/// What a wait that ran out leaves behind; the first one of a run is kept. In memory that host and device share.
struct ExpiredWait {
  std::uint32_t state = 0;  ///< 0: none; 1: being written; 2: written
  std::int32_t op = 0;
  std::uint64_t expected = 0;
  std::uint64_t seen = 0;
};

/// How long a wait may take, and where it is told that it took too long.
struct WaitControl {
  ExpiredWait* expired = nullptr;
  /// Once it is not 0 no waiter of the device waits any more. In its own memory: all of them look at it again and again,
  /// and reads of the host's memory would be so many that whatever else goes there comes to a halt.
  std::uint32_t* abort = nullptr;
  std::uint64_t budget_ns = 0;
};

}  // namespace meshmul::cuda
