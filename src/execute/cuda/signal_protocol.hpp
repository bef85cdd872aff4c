#pragma once
// Waiting for signals and raising them when tiles are finished. `Memory` is what reads and writes words that others
// share: PTX on the device (device_words.cuh), atomics on the host (host_words.hpp), which runs the same protocol in
// tests.

#include <cstdint>

#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/signals.hpp"

namespace meshmul::cuda {

/// Whether some wait of the run has run out, so that nobody waits any more: results do not count then.
template <class Memory>
MESHMUL_HOST_DEVICE inline bool aborted(const WaitControl& control, const Memory& memory) {
  return memory.load(control.abort) != 0;
}

/// Whether a wait passes now: an acquire, if so. To look again and again costs nobody else anything: an acquire that
/// does not pass would empty the cache of the multiprocessor.
template <class Memory>
MESHMUL_HOST_DEVICE inline bool passes(const SignalWait& wait, std::uint64_t run, const Memory& memory) {
  const std::uint64_t expected = expected_value(wait, run);
  return memory.load(wait.word) >= expected && memory.load_acquire(wait.word) >= expected;
}

/// A wait has taken longer than it may: the first one of all leaves its record.
template <class Memory>
MESHMUL_HOST_DEVICE inline void expire(const SignalWait& wait, std::uint64_t run, const WaitControl& control,
                                       const Memory& memory) {
  if (memory.compare_and_swap(&control.expired->state, 0U, 1U) == 0) {
    control.expired->op = wait.op;
    control.expired->expected = expected_value(wait, run);
    control.expired->seen = memory.load_acquire(wait.word);
    memory.fence();
    memory.compare_and_swap(&control.expired->state, 1U, 2U);
  }
  memory.compare_and_swap(control.abort, 0U, 1U);
}

/// Returns once the wait passes, or has run out, or another one has. An acquire: what was done before the raise can be
/// read, but by the copy engine of a multiprocessor only behind a fence for it.
template <class Memory>
MESHMUL_HOST_DEVICE inline void wait_for(const SignalWait& wait, std::uint64_t run, const WaitControl& control,
                                         const Memory& memory) {
  if (passes(wait, run, memory)) return;
  const std::uint64_t begin = memory.nanoseconds();
  for (std::uint32_t turn = 1;; ++turn) {
    if (passes(wait, run, memory)) return;
    memory.pause();
    constexpr std::uint32_t kTurnsBetweenLooks = 64;
    if (turn % kTurnsBetweenLooks != 0) continue;
    if (aborted(control, memory)) return;
    if (memory.nanoseconds() - begin < control.budget_ns) continue;
    expire(wait, run, control, memory);
    return;
  }
}

/// Parts of tiles that are counted for a piece up to the end of run `run`, modulo 2^32: `parts` of each of its tiles,
/// each run.
MESHMUL_HOST_DEVICE inline std::uint32_t parts_at_end(const GemmPiece& piece, std::uint64_t run, std::uint32_t parts) {
  return static_cast<std::uint32_t>(run + 1) * static_cast<std::uint32_t>(piece.grid.num_tiles()) * parts;
}

/// Counts one of the `parts` parts of a tile of a piece as finished. Whoever finishes the last one of a piece, when all
/// pieces ahead of it are finished, raises its signals, and those of the pieces behind it that are finished too. Called
/// by one thread, behind whose writes the part is visible to all.
template <class Memory>
MESHMUL_HOST_DEVICE inline void finish_part(const GemmWork& work, std::int32_t piece_number, std::uint64_t run,
                                            std::uint32_t parts, const Memory& memory) {
  memory.fence();
  const std::uint32_t finished = memory.fetch_add(&work.finished_tiles[piece_number], 1) + 1;
  if (finished != parts_at_end(work.pieces[piece_number], run, parts)) return;
  if (work.times != nullptr) work.times[work.pieces[piece_number].op].end = memory.nanoseconds();
  const std::uint32_t first = static_cast<std::uint32_t>(run) * static_cast<std::uint32_t>(work.num_pieces);
  while (true) {
    // Between counting and looking: of two who finish neighbouring pieces at once, one has to see the other.
    memory.fence();
    const std::uint32_t done = memory.fetch_add(work.finished_pieces, 0);
    const auto next = static_cast<std::int32_t>(done - first);
    if (next < 0 || next >= work.num_pieces) return;
    const GemmPiece& piece = work.pieces[next];
    if (memory.fetch_add(&work.finished_tiles[next], 0) != parts_at_end(piece, run, parts)) return;
    memory.fence();
    if (memory.compare_and_swap(work.finished_pieces, done, done + 1) != done) continue;
    for (std::int32_t i = 0; i < piece.num_raises; ++i) {
      const SignalRaise& raise = work.raises[piece.first_raise + i];
      memory.raise_release(raise.word, raised_value(raise, run));
    }
  }
}

}  // namespace meshmul::cuda
