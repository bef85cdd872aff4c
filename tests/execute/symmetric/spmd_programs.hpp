#pragma once
// Programs on a symmetric heap, each right as it stands and wrong without one of its waits. Those of whole numbers, so that
// right is exactly right.

#include <algorithm>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "meshmul/symmetric_heap.hpp"

namespace meshmul {

/// Runs on a new heap and says whether all values are right. `forgets` names the wait that is left out; empty for none.
struct SpmdProgram {
  std::string name;
  bool (*run)(SymmetricHeap& heap, const std::string& forgets);
  std::vector<std::string> waits;  ///< those that can be left out
};

inline void PrintTo(const SpmdProgram& program, std::ostream* out) { *out << program.name; }

namespace spmd_programs {

inline constexpr int kBlock = 5;

inline bool is_all(std::span<const std::int32_t> values, int value) {
  return std::ranges::all_of(values, [value](std::int32_t element) { return element == value; });
}

inline void fill(SymmetricHeap& heap, const SymmetricBuffer& buffer,
                 const std::function<int(int rank, int row)>& value) {
  for (int rank = 0; rank < heap.num_ranks(); ++rank)
    for (int row = 0; row < buffer.shape()[0]; ++row)
      std::ranges::fill(heap.elements<std::int32_t>(rank, buffer.rows(row, row + 1)), value(rank, row));
}

inline bool holds(SymmetricHeap& heap, const SymmetricBuffer& buffer,
                  const std::function<int(int rank, int row)>& value) {
  for (int rank = 0; rank < heap.num_ranks(); ++rank)
    for (int row = 0; row < buffer.shape()[0]; ++row)
      if (!is_all(heap.elements<std::int32_t>(rank, buffer.rows(row, row + 1)), value(rank, row))) return false;
  return true;
}

/// Each block goes round the ring, from its place at one rank to its place at the next.
inline bool ring_all_gather(SymmetricHeap& heap, const std::string& forgets) {
  const SymmetricBuffer whole = heap.allocate("whole", dtype::i32, {heap.num_ranks(), kBlock});
  const SymmetricSignal arrived = heap.signal("arrived");
  fill(heap, whole, [](int rank, int row) { return row == rank ? 100 + rank : -1; });
  heap.spmd([&](Rank& rank) {
    for (int step = 0; step < rank.num_ranks() - 1; ++step) {
      const int owner = rank.neighbour(-step);
      const SymmetricSlice block = whole.rows(owner, owner + 1);
      RemoteCopy copy = rank.put(rank.neighbour(+1), block, block, arrived);
      if (forgets != "arrived") copy.wait_arrived();
      copy.wait_sent();
    }
  });
  return holds(heap, whole, [](int, int row) { return 100 + row; });
}

/// Partial sums go round the ring through one slot at each rank, which its owner says to be free.
inline bool ring_reduce_scatter(SymmetricHeap& heap, const std::string& forgets) {
  const SymmetricBuffer terms = heap.allocate("terms", dtype::i32, {heap.num_ranks(), kBlock});
  const SymmetricBuffer carry = heap.allocate("carry", dtype::i32, {1, kBlock});
  const SymmetricBuffer slot = heap.allocate("slot", dtype::i32, {1, kBlock});
  const SymmetricSignal arrived = heap.signal("arrived"), credit = heap.signal("credit");
  fill(heap, terms, [](int rank, int row) { return 10 * row + rank; });
  heap.spmd([&](Rank& rank) {
    rank.copy(rank.view(carry), rank.view(terms.rows(rank.id(), rank.id() + 1)));  // the sum of one rank alone
    for (int step = 0; step < rank.num_ranks() - 1; ++step) {
      const int first = rank.neighbour(-1), mine = rank.neighbour(-2 - step);
      if (forgets != "credit") rank.wait(credit, static_cast<std::uint64_t>(step));
      RemoteCopy copy =
          rank.put(rank.neighbour(+1), slot, step == 0 ? terms.rows(first, first + 1) : SymmetricSlice(carry), arrived);
      if (forgets != "arrived") copy.wait_arrived();
      if (forgets != "sent") copy.wait_sent();
      rank.copy(rank.view(carry), rank.view(slot));
      rank.raise(rank.neighbour(-1), credit);
      rank.add(rank.view(carry), rank.view(terms.rows(mine, mine + 1)));
    }
  });
  const int ranks = heap.num_ranks();
  return holds(heap, carry, [ranks](int rank, int) { return ranks * 10 * rank + ranks * (ranks - 1) / 2; });
}

/// A stream copies from peers and writes progress in order; each row is read as soon as it is there.
inline bool pull_with_progress(SymmetricHeap& heap, const std::string& forgets) {
  const SymmetricBuffer shard = heap.allocate("shard", dtype::i32, {1, kBlock});
  const SymmetricBuffer pulled = heap.allocate("pulled", dtype::i32, {heap.num_ranks(), kBlock});
  const SymmetricBuffer doubled = heap.allocate("doubled", dtype::i32, {heap.num_ranks(), kBlock});
  const SymmetricSignal progress = heap.signal("progress");
  heap.spmd([&](Rank& rank) {
    std::ranges::fill(rank.elements<std::int32_t>(shard), 7 * rank.id());
    if (forgets != "barrier") rank.barrier(1);
    Stream pulls = rank.stream(2);
    for (int distance = 0; distance < rank.num_ranks(); ++distance) {
      const int peer = rank.neighbour(distance);
      pulls.copy(rank.view(pulled.rows(peer, peer + 1)), rank.peer_view(peer, shard));
      pulls.write_value(rank.id(), progress, static_cast<std::uint64_t>(distance + 1));
    }
    for (int distance = 0; distance < rank.num_ranks(); ++distance) {
      const int peer = rank.neighbour(distance);
      if (forgets != "progress") rank.wait(progress, static_cast<std::uint64_t>(distance + 1));
      const View twice = rank.view(doubled.rows(peer, peer + 1)), once = rank.view(pulled.rows(peer, peer + 1));
      rank.copy(twice, once);
      rank.add(twice, once);
    }
  });
  return holds(heap, doubled, [](int, int row) { return 14 * row; });
}

/// Rounds through two slots at every peer, with a barrier after each.
inline bool double_buffer(SymmetricHeap& heap, const std::string& forgets) {
  constexpr int kRounds = 4, kSlots = 2;
  const int ranks = heap.num_ranks();
  const SymmetricBuffer shard = heap.allocate("shard", dtype::i32, {kRounds, kBlock});
  const SymmetricBuffer slots = heap.allocate("slots", dtype::i32, {kSlots * ranks, kBlock});
  const SymmetricBuffer sum = heap.allocate("sum", dtype::i32, {kRounds, kBlock});
  fill(heap, shard, [](int rank, int row) { return 100 * row + rank; });
  fill(heap, sum, [](int, int) { return 0; });
  heap.spmd([&](Rank& rank) {
    const auto slot = [&](int round, int owner) {
      const int row = round % kSlots * ranks + owner;
      return slots.rows(row, row + 1);
    };
    for (int round = 0; round <= kRounds; ++round) {
      for (int distance = 0; distance < ranks && round < kRounds; ++distance)
        rank.put(rank.neighbour(distance), slot(round, rank.id()), shard.rows(round, round + 1));
      for (int owner = 0; owner < ranks && round > 0; ++owner)
        rank.add(rank.view(sum.rows(round - 1, round)), rank.view(slot(round - 1, owner)));
      if (forgets != "quiet") rank.quiet();
      if (forgets != "barrier") rank.barrier();
    }
  });
  return holds(heap, sum, [ranks](int, int row) { return ranks * 100 * row + ranks * (ranks - 1) / 2; });
}

/// Each rank takes a value from the one before, and may change its own once it has been taken.
inline bool get_and_overwrite(SymmetricHeap& heap, const std::string& forgets) {
  constexpr int kTurns = 3;
  const SymmetricBuffer value = heap.allocate("value", dtype::i32, {1, kBlock});
  const SymmetricBuffer got = heap.allocate("got", dtype::i32, {kTurns, kBlock});
  const SymmetricSignal ready = heap.signal("ready"), taken = heap.signal("taken");
  heap.spmd([&](Rank& rank) {
    for (int turn = 0; turn < kTurns; ++turn) {
      const auto count = static_cast<std::uint64_t>(turn + 1);
      std::ranges::fill(rank.elements<std::int32_t>(value), 10 * turn + rank.id());
      rank.raise(rank.neighbour(+1), ready);
      if (forgets != "ready") rank.wait(ready, count);
      const SymmetricSlice row = got.rows(turn, turn + 1);
      RemoteCopy copy = rank.get(row, rank.neighbour(-1), value, taken);
      if (forgets != "arrived") copy.wait_arrived();
      rank.add(rank.view(row), rank.view(row));
      if (forgets != "taken") rank.wait(taken, count);
    }
  });
  const int ranks = heap.num_ranks();
  return holds(heap, got, [ranks](int rank, int row) { return 2 * (10 * row + (rank + ranks - 1) % ranks); });
}

inline const std::vector<SpmdProgram> kAll = {
    {"RingAllGather", ring_all_gather, {"arrived"}},
    {"RingReduceScatter", ring_reduce_scatter, {"arrived", "sent", "credit"}},
    {"PullWithProgress", pull_with_progress, {"barrier", "progress"}},
    {"DoubleBuffer", double_buffer, {"quiet", "barrier"}},
    {"GetAndOverwrite", get_and_overwrite, {"ready", "arrived", "taken"}},
};

}  // namespace spmd_programs
}  // namespace meshmul
