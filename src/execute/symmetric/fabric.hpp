#pragma once
// What moves data and raises signals in a run: the part of a symmetric heap in which backends differ.

#include <cstdint>
#include <optional>

#include "meshmul/error.hpp"
#include "meshmul/view.hpp"
#include "run_control.hpp"
#include "schedule/effects.hpp"

namespace meshmul {

/// What a word will hold then, counted from the beginning of the run.
struct WordRaise {
  HeapWord* word = nullptr;
  int owner = 0;  ///< the rank of the word
  std::uint64_t value = 0;
};

/// A put, a get, or an entry of a stream.
struct TransferOrder {
  View dst;
  ConstView src;
  std::optional<WordRaise> raise;
  Event at = Event::kWriteVisible;     ///< when the word rises
  std::optional<std::uint64_t> after;  ///< a transfer of the same rank that must be over first
};

/// Each function but `stop` is called on the thread of `rank`, and throws RunStopped once the run has failed.
class Fabric {
 public:
  virtual ~Fabric() = default;

  /// Before the function of `rank`, and once it has returned: returns when no transfer of the rank is under way.
  virtual void begin(int rank) = 0;
  virtual void finish(int rank) = 0;
  /// The function has thrown, or the run has failed: nothing more is done in the name of `rank`.
  virtual void abandon(int rank) = 0;
  /// The run has failed: lets no rank wait any longer.
  virtual void stop() = 0;

  /// An operation that needs nothing else of the fabric.
  virtual void step(int rank) = 0;
  /// Returns the number of the transfer, from 0 for each rank.
  virtual std::uint64_t start(int rank, const TransferOrder& order) = 0;
  virtual void wait_for(int rank, std::uint64_t transfer, Event event) = 0;
  virtual void raise(int rank, const WordRaise& raise) = 0;
  virtual void wait_for(int rank, const SignalWait& wait) = 0;

  /// Why no rank could go on, where that is found out before any deadline.
  virtual std::optional<Error> stall() const = 0;
};

}  // namespace meshmul
