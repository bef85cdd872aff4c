// Push: an AllToAll in which every rank puts a block into place at every peer. Each sender has a signal of its own, since a
// signal word has one writer; a receiver takes the blocks as they come.

#include <iostream>
#include <meshmul/symmetric_heap.hpp>
#include <stdexcept>

int main() {
  using namespace meshmul;
  constexpr int kRanks = 4, kColumns = 3;

  SymmetricHeap heap = SymmetricHeap::threads({{"X", kRanks}});
  const SymmetricBuffer from = heap.allocate("from", dtype::f32, {kRanks, kColumns});  // row r is for rank r
  const SymmetricBuffer to = heap.allocate("to", dtype::f32, {kRanks, kColumns});      // row r is from rank r
  const std::vector<SymmetricSignal> arrived = heap.signals("arrived", kRanks);

  heap.spmd([&](Rank& rank) {
    const int me = rank.id();
    const auto value = [](int sender, int receiver) { return static_cast<float>(10 * sender + receiver); };
    for (int peer = 0; peer < kRanks; ++peer)
      for (float& element : rank.elements<float>(from.rows(peer, peer + 1))) element = value(me, peer);

    for (int distance = 0; distance < kRanks; ++distance) {  // at each moment to another peer than the others
      const int peer = rank.neighbour(distance);
      rank.put(peer, to.rows(me, me + 1), from.rows(peer, peer + 1), arrived[static_cast<std::size_t>(me)]);
    }
    for (int distance = 0; distance < kRanks; ++distance) {
      const int peer = rank.neighbour(-distance);
      rank.wait(arrived[static_cast<std::size_t>(peer)], 1);
      for (const float element : rank.elements<float>(to.rows(peer, peer + 1)))
        if (element != value(peer, me)) throw std::runtime_error("a block has not come as it was sent");
    }
  });

  // A peer's memory can be written in place as well: what a store is on shared memory.
  const SymmetricSignal stored = heap.signal("stored");
  heap.spmd([&](Rank& rank) {
    const int next = rank.neighbour(+1);
    rank.copy(rank.peer_view(next, to.rows(0, 1)), rank.view(from.rows(next, next + 1)));
    rank.raise(next, stored);  // after the copy, which is over when it returns
    rank.wait(stored, 1);
    const float expected = static_cast<float>(10 * rank.neighbour(-1) + rank.id());
    if (rank.elements<float>(to.rows(0, 1))[0] != expected) throw std::runtime_error("the row has not come");
  });
  std::cout << "every block has come\n";
  return 0;
}
