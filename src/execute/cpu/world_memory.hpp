#pragma once
// Where everything lies: control words, lane positions, signals and shared buffers in the one piece of memory that a
// world shares, and the buffers of one rank alone in a heap of its own. The shards of a shared buffer lie one after another
// by rank, with nothing in between, so that neighbouring shards can be read as one array.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "control.hpp"
#include "meshmul/schedule.hpp"
#include "signal_words.hpp"

namespace meshmul {

inline constexpr std::int64_t kPageBytes = 4096;

/// A buffer is shared if it is symmetric, else its rank's own: nobody else touches it, the host included.
struct BufferPlace {
  bool own = false;
  std::int64_t offset = 0;     ///< of rank 0's in the shared heap, or in the own heap of its rank; 64-byte aligned
  std::int64_t num_bytes = 0;  ///< of one rank: from its shard in the shared heap to that of the next rank
};

/// Offsets in bytes from the beginning of the shared memory, the same in every process since they follow from the
/// schedule alone.
struct WorldLayout {
  int num_ranks = 0;
  int num_signals = 0;
  std::int64_t ranks = 0;            ///< RankControl[num_ranks]
  std::int64_t positions = 0;        ///< per rank: LanePosition[its lanes]
  std::int64_t positions_bytes = 0;  ///< from one rank to the next
  std::int64_t signals = 0;          ///< SignalWord[num_ranks][num_signals]
  std::int64_t heap = 0;             ///< per shared buffer: its shards, rank after rank
  std::int64_t heap_bytes = 0;       ///< of all ranks: whole pages
  std::int64_t times = 0;            ///< OpTimes[num_ranks][times_per_rank]
  std::int64_t times_per_rank = 0;   ///< as many as the rank with most ops has; 0 if no times are recorded
  std::int64_t num_bytes = 0;        ///< of everything that is shared
  std::int64_t own_heap_bytes = 0;   ///< of the own buffers of each rank: whole pages
  std::vector<BufferPlace> buffers;  ///< as the schedule numbers them
  std::vector<int> num_lanes;        ///< per rank
};

/// Throws Error(kOutOfMemory) if the bytes of all ranks do not fit 62 bits.
WorldLayout lay_out(const Schedule& schedule, std::int64_t times_per_rank = 0);

/// Of all shared buffers of one rank, without padding.
std::int64_t shared_bytes_per_rank(const WorldLayout& layout);

/// Ops of the rank that has most.
std::int64_t most_ops(const Schedule& schedule);

/// The shared memory as objects. Does not own it.
class WorldMemory {
 public:
  /// `base` is page-aligned and has `layout.num_bytes` bytes, in which `construct` or another process has built the
  /// objects. `layout` must outlive this.
  WorldMemory(std::byte* base, const WorldLayout& layout) : base_(base), layout_(&layout) {}

  /// Builds all control objects and the signals that are raised as `words` says, in memory that holds zeros.
  void construct(const SignalWords& words) const;

  const WorldLayout& layout() const { return *layout_; }
  int num_ranks() const { return layout_->num_ranks; }
  WorldControl& world() const { return *at<WorldControl>(0); }
  RankControl& rank(int rank) const { return at<RankControl>(layout_->ranks)[rank]; }
  std::span<LanePosition> positions(int rank) const;
  /// Of all ops of `rank`, lane after lane; empty if none are recorded. Only the rank writes them, during a run.
  std::span<OpTimes> times(int rank) const;
  SignalWord& signal(int rank, int signal) const;
  /// The shard of `rank`. Empty if `buffer` is an own one.
  std::span<std::byte> buffer(int rank, int buffer) const;

  /// Wakes every rank that sleeps, after a change of a word in `world()`.
  void ring_ranks() const;

 private:
  template <class T>
  T* at(std::int64_t offset) const {
    return reinterpret_cast<T*>(base_ + offset);
  }

  std::byte* base_;
  const WorldLayout* layout_;
};

}  // namespace meshmul
