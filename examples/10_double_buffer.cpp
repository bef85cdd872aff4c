// A pipeline in rounds with two slots: in each round every rank puts some rows into a slot of every peer and meets a
// barrier, while it works on the slot of the round before.

#include <algorithm>
#include <iostream>
#include <meshmul/symmetric_heap.hpp>

int main() {
  using namespace meshmul;
  constexpr int kRanks = 3, kRows = 7, kRowsPerRound = 2, kColumns = 4, kSlots = 2;
  constexpr int kRounds = (kRows + kRowsPerRound - 1) / kRowsPerRound;  // the last one is short

  SymmetricHeap heap = SymmetricHeap::threads({{"X", kRanks}});
  const SymmetricBuffer shard = heap.allocate("shard", dtype::f32, {kRows, kColumns});
  const SymmetricBuffer slots = heap.allocate("slots", dtype::f32, {kSlots * kRanks * kRowsPerRound, kColumns});
  const SymmetricBuffer sum = heap.allocate("sum", dtype::f32, {kRows, kColumns});
  for (int rank = 0; rank < kRanks; ++rank) {
    int i = 0;
    for (float& element : heap.elements<float>(rank, shard)) element = static_cast<float>(100 * rank + i++);
  }

  heap.spmd([&](Rank& rank) {
    const auto rows_of = [&](int round) { return std::min(kRowsPerRound, kRows - round * kRowsPerRound); };
    const auto slot = [&](int round, int owner) {
      const std::int64_t begin = ((round % kSlots) * kRanks + owner) * kRowsPerRound;
      return slots.rows(begin, begin + rows_of(round));
    };
    const auto rows = [&](const SymmetricBuffer& buffer, int round) {
      return buffer.rows(round * kRowsPerRound, round * kRowsPerRound + rows_of(round));
    };
    rank.map(rank.view(sum), MapFunction::kZero, {});

    for (int round = 0; round <= kRounds; ++round) {
      if (round < kRounds)
        for (int distance = 0; distance < kRanks; ++distance)
          rank.put(rank.neighbour(distance), slot(round, rank.id()), rows(shard, round));
      if (round > 0)
        for (int owner = 0; owner < kRanks; ++owner)
          rank.add(rank.view(rows(sum, round - 1)), rank.view(slot(round - 1, owner)));
      // The puts of this round are over, and so is the work on the slot that the next round overwrites.
      rank.quiet();
      rank.barrier(round % 2);  // any channel does; a library that runs inside of this program would take another
    }
  });

  bool right = true;
  for (int rank = 0; rank < kRanks; ++rank)
    for (int i = 0; i < kRows * kColumns; ++i)
      right = right && heap.elements<float>(rank, sum)[static_cast<std::size_t>(i)] == static_cast<float>(300 + 3 * i);
  std::cout << "every rank has the sum of all shards: " << (right ? "yes" : "no") << "\n";
  return right ? 0 : 1;
}
