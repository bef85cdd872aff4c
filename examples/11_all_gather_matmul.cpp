// AllGather and product in one: C = A * B, where A is cut by rows and C whole on every rank. A stream pulls the peers' rows
// chunk by chunk and writes progress after each; the product begins with the own rows and waits for each chunk alone.

#include <cmath>
#include <iostream>
#include <meshmul/meshmul.hpp>

int main() {
  using namespace meshmul;
  constexpr int kRanks = 4, kRows = 60, kDepth = 96, kColumns = 80;  // rows of A on each rank
  constexpr int kChunks = 3, kChunkRows = kRows / kChunks;

  SymmetricHeap heap = SymmetricHeap::threads({{"X", kRanks}});
  const SymmetricBuffer a_shard = heap.allocate("a.shard", dtype::f32, {kRows, kDepth});
  const SymmetricBuffer a = heap.allocate("a", dtype::f32, {kRanks * kRows, kDepth});
  const SymmetricBuffer b = heap.allocate("b", dtype::f32, {kDepth, kColumns});
  const SymmetricBuffer c = heap.allocate("c", dtype::f32, {kRanks * kRows, kColumns});
  const std::vector<SymmetricSignal> progress = heap.signals("progress", kRanks);  // of the rows of each rank

  HostArray whole_a(dtype::f32, a.shape()), whole_b(dtype::f32, b.shape()), whole_c(dtype::f32, c.shape());
  fill_random(whole_a.view(), Box::whole(a.shape()), a.shape(), {1, 0});
  fill_random(whole_b.view(), Box::whole(b.shape()), b.shape(), {2, 0});

  heap.spmd([&](Rank& rank) {
    const auto rows = [](int owner, int chunk) { return owner * kRows + chunk * kChunkRows; };
    rank.copy(rank.view(a_shard), whole_a.view({{rank.id() * kRows, (rank.id() + 1) * kRows}, {0, kDepth}}));
    rank.copy(rank.view(b), whole_b.view());
    rank.barrier();  // every shard is there

    Stream pulls = rank.stream();
    for (int distance = 1; distance < kRanks; ++distance) {
      const int peer = rank.neighbour(distance);
      for (int chunk = 0; chunk < kChunks; ++chunk) {
        const std::int64_t begin = chunk * kChunkRows, at = rows(peer, chunk);
        pulls.copy(rank.view(a.rows(at, at + kChunkRows)),
                   rank.peer_view(peer, a_shard.rows(begin, begin + kChunkRows)));
        pulls.write_value(rank.id(), progress[static_cast<std::size_t>(peer)], static_cast<std::uint64_t>(chunk + 1));
      }
    }

    rank.gemm(rank.view(c.rows(rows(rank.id(), 0), rows(rank.id() + 1, 0))), rank.view(a_shard), rank.view(b));
    for (int distance = 1; distance < kRanks; ++distance) {
      const int peer = rank.neighbour(distance);
      for (int chunk = 0; chunk < kChunks; ++chunk) {
        rank.wait(progress[static_cast<std::size_t>(peer)], static_cast<std::uint64_t>(chunk + 1));
        const std::int64_t at = rows(peer, chunk);
        rank.gemm(rank.view(c.rows(at, at + kChunkRows)), rank.view(a.rows(at, at + kChunkRows)), rank.view(b));
      }
    }
    rank.barrier();  // nobody leaves while peers may read its shard
  });

  // The same product by the planner, on one rank.
  World world = World::threads({{"X", 1}});
  const HostArray expected = einsum("ik,kj->ij", world.scatter(whole_a, P()), world.scatter(whole_b, P())).gather();
  bool right = true;
  for (int rank = 0; rank < kRanks; ++rank)
    for (std::int64_t i = 0; i < expected.num_elements(); ++i) {
      const double difference = heap.elements<float>(rank, c)[static_cast<std::size_t>(i)] - expected[i];
      right = right && std::abs(difference) < 1e-4;
    }
  std::cout << "fused AllGather and product agree with einsum: " << (right ? "yes" : "no") << "\n";
  return right ? 0 : 1;
}
