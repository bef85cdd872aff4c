#pragma once
// The buffers and signals of a symmetric heap, and the rules for naming them.

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "execute/cpu/control.hpp"
#include "execute/cpu/mapping.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/symmetric_heap.hpp"

namespace meshmul {

/// A signal of one rank. It never falls: each run counts from what it holds when the run begins.
struct alignas(kCacheLine) HeapWord {
  static constexpr std::int32_t kNobody = -1;

  std::atomic<std::uint64_t> value{0};
  std::uint64_t base = 0;                     ///< `value` at the beginning of the run
  std::atomic<std::int32_t> writer{kNobody};  ///< in this run, as `writer_number` gives it
  std::uint64_t promised = 0;                 ///< since the beginning of the run; the writer's alone

  std::uint64_t seen() const { return value.load() - base; }
};

/// Who may raise a word in a run: `lane` 0 is the rank itself, i + 1 its stream i.
inline std::int32_t writer_number(int rank, int lane) { return rank * (Rank::kNumStreams + 1) + lane; }
inline int writer_rank(std::int32_t writer) { return writer / (Rank::kNumStreams + 1); }
inline int writer_lane(std::int32_t writer) { return writer % (Rank::kNumStreams + 1); }

struct HeapSignal {
  std::string name;
  std::vector<HeapWord> words;  ///< one a rank
};

struct HeapBuffer {
  BufferDecl declared;
  MemoryMapping memory;
  std::int64_t stride = 0;  ///< bytes from one rank to the next, whole pages
};

class HeapState {
 public:
  /// `delayed` is the backend `reference`.
  HeapState(Mesh mesh, const SymmetricHeapOptions& options, bool delayed);

  const Mesh& mesh() const { return mesh_; }
  int num_ranks() const { return mesh_.num_devices(); }
  const SymmetricHeapOptions& options() const { return options_; }
  bool is_delayed() const { return delayed_; }

  SymmetricBuffer allocate(const std::string& name, Dtype dtype, const Shape& shape);
  SymmetricSignal add_signal(const std::string& name);

  const HeapBuffer& buffer(int index) const { return buffers_[static_cast<std::size_t>(index)]; }
  const HeapSignal& signal(int index) const { return signals_[static_cast<std::size_t>(index)]; }
  HeapSignal& signal(int index) { return signals_[static_cast<std::size_t>(index)]; }
  /// What the barrier of a channel raises at `round` (see Rank::barrier).
  SymmetricSignal barrier_signal(int channel, int round) const {
    return barriers_[static_cast<std::size_t>(channel * barrier_rounds() + round)];
  }
  /// 2^rounds is at least the number of ranks.
  int barrier_rounds() const;

  /// Throws Error(kInvalidArgument) if the rank is not there, the slice is of another heap, or its box not in its buffer.
  View view(int rank, const SymmetricSlice& slice) const;
  void require_rank(int rank) const;
  /// Throws if `box` does not lie in the buffer.
  void require_box(int buffer, const Box& box) const;

  /// Throws Error(kInvalidArgument) if a run is under way.
  void begin_run();
  void end_run() { running_ = false; }

 private:
  void require_idle(std::string_view what) const;

  Mesh mesh_;
  SymmetricHeapOptions options_;
  bool delayed_;
  bool running_ = false;
  std::deque<HeapBuffer> buffers_;  // deques: what is in them does not move
  std::deque<HeapSignal> signals_;
  std::vector<SymmetricSignal> barriers_;
};

}  // namespace meshmul
