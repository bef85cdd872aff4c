#pragma once
// What the ranks and the controller of one run tell each other: control words as for schedules, and where each rank
// stands, for the errors of runs that fail.

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>

#include "execute/cpu/mapping.hpp"
#include "execute/cpu/world_memory.hpp"
#include "heap_state.hpp"

namespace meshmul {

/// Thrown through the function of a rank when the run has failed elsewhere. No std::exception: that function is not to
/// catch it.
struct RunStopped {};

/// A wait of a rank for one of its signals. Values count from the beginning of the run.
struct SignalWait {
  const HeapSignal* signal = nullptr;
  const HeapWord* word = nullptr;
  std::uint64_t value = 0;

  bool passes() const { return word->seen() >= value; }
};

class RunControl {
 public:
  explicit RunControl(const Mesh& mesh);
  RunControl(const RunControl&) = delete;
  RunControl& operator=(const RunControl&) = delete;

  const WorldMemory& memory() const { return memory_; }
  bool is_stopped() const { return memory_.world().stop.load(); }

  /// An operation of `rank` begins. Throws RunStopped.
  void begin_operation(int rank);
  /// Stores what a word is to hold, and wakes its owner.
  void write(HeapWord& word, int owner, std::uint64_t value) const;

  // For reports. Each is called by the rank that it is about.
  void note_wait(int rank, const SignalWait& wait);
  void note_go(int rank) { standing(rank).waits.store(false); }
  void note_end(int rank) { standing(rank).ended.store(true); }

  /// `in its function, after 3 operations`.
  std::string whereabouts(int rank) const;
  /// Why nothing moves: a rank that is in code of its own, or the waits from one rank on to who has to end them.
  std::string describe_stall() const;

 private:
  struct Standing {
    std::atomic<bool> waits{false}, ended{false};
    std::atomic<const HeapSignal*> signal{nullptr};  // of the wait
    std::atomic<std::uint64_t> value{0};
  };
  Standing& standing(int rank) { return standings_[static_cast<std::size_t>(rank)]; }
  const Standing& standing(int rank) const { return standings_[static_cast<std::size_t>(rank)]; }
  std::uint32_t operations(int rank) const;
  const HeapWord& awaited(int rank) const;

  Schedule schedule_;  // of one lane a rank, as the layout of control words is asked for
  WorldLayout layout_;
  MemoryMapping mapping_;
  WorldMemory memory_;
  std::deque<Standing> standings_;
};

}  // namespace meshmul
