#pragma once
// What each op does, as the event table of docs/schedule-ir.md: which regions it reads and writes, which signals it
// raises at which of its events, and what it waits for. Verifier, simulator, legalizer and executors ask here, so that
// the table exists once.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// The events of an op, in the order in which they happen. Only a put or a get has them apart.
enum class Event {
  kStart,         ///< earlier waits of the lane have passed, earlier conflicting ops of the lane have finished
  kReadDone,      ///< every source has been read
  kWriteVisible,  ///< every byte of the destination is visible to whoever sees the signal
};

/// An increment by one of `signal` at `rank`.
struct Raise {
  int rank = 0;
  int signal = 0;
  Event event = Event::kWriteVisible;
  bool operator==(const Raise&) const = default;
};

/// The increments that an op makes, two at most, in the order of its events.
class Raises {
 public:
  void push_back(const Raise& raise) { raises_[size_++] = raise; }
  const Raise* begin() const { return raises_.data(); }
  const Raise* end() const { return raises_.data() + size_; }

 private:
  std::array<Raise, 2> raises_{};
  std::size_t size_ = 0;
};

/// The increments of `op` when it stands in a lane of `rank`, without the rest of its effects.
Raises raises_of(const Op& op, int rank);

struct Effects {
  std::vector<Region> reads;   ///< an accumulating gemm and a reduce read their destination too
  std::vector<Region> writes;  ///< at most one
  std::vector<Raise> raises;
  std::optional<Wait> wait;   ///< on a signal of the op's own rank
  bool asynchronous = false;  ///< a put or get: may finish after later ops of its lane have started
};

/// The effects of `op` when it stands in a lane of `rank`.
Effects effects_of(const Op& op, int rank);

}  // namespace meshmul
