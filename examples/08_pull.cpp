// Pull: a stream copies from peers' buffers, which it sees as views, and writes a progress value in order after each copy.
// Whoever waits for the value may read the copy; nobody waits for the whole.

#include <algorithm>
#include <iostream>
#include <meshmul/symmetric_heap.hpp>
#include <numeric>

int main() {
  using namespace meshmul;
  constexpr int kRanks = 4, kElements = 1000;

  SymmetricHeap heap = SymmetricHeap::threads({{"X", kRanks}});
  const SymmetricBuffer shard = heap.allocate("shard", dtype::i32, {1, kElements});
  const SymmetricBuffer copies = heap.allocate("copies", dtype::i32, {kRanks, kElements});
  const SymmetricBuffer sums = heap.allocate("sums", dtype::i32, {kRanks});
  const SymmetricSignal progress = heap.signal("progress");
  for (int rank = 0; rank < kRanks; ++rank) std::ranges::fill(heap.elements<std::int32_t>(rank, shard), rank + 1);

  heap.spmd([&](Rank& rank) {
    Stream pulls = rank.stream();
    std::uint64_t pulled = 0;
    for (int distance = 1; distance < kRanks; ++distance) {
      const int peer = rank.neighbour(distance);
      pulls.copy(rank.view(copies.rows(peer, peer + 1)), rank.peer_view(peer, shard));
      pulls.write_value(rank.id(), progress, ++pulled);
    }

    const auto sum = rank.elements<std::int32_t>(sums);
    const auto total = [](std::span<const std::int32_t> values) {
      return std::accumulate(values.begin(), values.end(), 0);
    };
    sum[static_cast<std::size_t>(rank.id())] = total(rank.elements<std::int32_t>(shard));
    for (int distance = 1; distance < kRanks; ++distance) {
      const int peer = rank.neighbour(distance);
      rank.wait(progress, static_cast<std::uint64_t>(distance));
      sum[static_cast<std::size_t>(peer)] = total(rank.elements<std::int32_t>(copies.rows(peer, peer + 1)));
    }
  });

  bool right = true;
  for (int rank = 0; rank < kRanks; ++rank)
    for (int peer = 0; peer < kRanks; ++peer)
      right =
          right && heap.elements<std::int32_t>(rank, sums)[static_cast<std::size_t>(peer)] == kElements * (peer + 1);
  std::cout << "every sum is right: " << (right ? "yes" : "no") << "\n";
  return right ? 0 : 1;
}
