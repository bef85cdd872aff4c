// A ring AllGather with remote copies: start, wait for sent, wait for arrived. Each rank hands on the block that came last.

#include <algorithm>
#include <iostream>
#include <meshmul/symmetric_heap.hpp>

int main() {
  using namespace meshmul;
  constexpr int kRanks = 4, kRows = 2, kColumns = 8;

  SymmetricHeap heap = SymmetricHeap::threads({{"X", kRanks}});
  const SymmetricBuffer whole = heap.allocate("whole", dtype::f32, {kRanks * kRows, kColumns});
  const SymmetricSignal arrived = heap.signal("arrived");

  heap.spmd([&](Rank& rank) {
    const auto block = [&](int owner) { return whole.rows(owner * kRows, (owner + 1) * kRows); };
    std::ranges::fill(rank.elements<float>(block(rank.id())), static_cast<float>(rank.id()));

    for (int step = 0; step < kRanks - 1; ++step) {
      // The same place at the next rank; nobody but this rank writes there, and only once.
      const int owner = rank.neighbour(-step);
      RemoteCopy copy = rank.put(rank.neighbour(+1), block(owner), block(owner), arrived);
      copy.wait_arrived();  // the block that the rank before this one has put here, to be handed on
      copy.wait_sent();     // nothing overwrites `block(owner)` here; a program with fewer slots needs this
    }
  });

  bool right = true;
  for (int rank = 0; rank < kRanks; ++rank)
    for (int owner = 0; owner < kRanks; ++owner) {
      const auto block = heap.elements<float>(rank, whole.rows(owner * kRows, (owner + 1) * kRows));
      right = right && std::ranges::count(block, static_cast<float>(owner)) == kRows * kColumns;
    }
  std::cout << "every rank has every block: " << (right ? "yes" : "no") << "\n";
  return right ? 0 : 1;
}
