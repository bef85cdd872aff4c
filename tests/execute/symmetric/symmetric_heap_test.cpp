// What programs on a symmetric heap do when all is well, on each backend; and that the delays of `reference` show every
// wait which a program forgets.

#include "meshmul/symmetric_heap.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "meshmul/host_array.hpp"
#include "spmd_programs.hpp"

namespace meshmul {
namespace {

constexpr std::uint64_t kSeeds = 60;

SymmetricHeap make_heap(const std::string& backend, int num_ranks, std::uint64_t seed = 0) {
  SymmetricHeapOptions options;
  options.execute.seed = seed;
  options.execute.kernels = MESHMUL_TEST_KERNELS;
  return SymmetricHeap::on(backend, {{"X", num_ranks}}, options);
}

class Programs : public ::testing::TestWithParam<SpmdProgram> {};

TEST_P(Programs, AreRightOnThreads) {
  for (const int num_ranks : {1, 2, 3, 4, 7})
    for (int repetition = 0; repetition < 5; ++repetition) {
      SymmetricHeap heap = make_heap("threads", num_ranks);
      EXPECT_TRUE(GetParam().run(heap, "")) << num_ranks << " ranks";
    }
}

TEST_P(Programs, AreRightHoweverLongTransfersTake) {
  for (const int num_ranks : {1, 2, 3, 4, 5})
    for (std::uint64_t seed = 0; seed < kSeeds / MESHMUL_RANDOM_CASE_DIVISOR; ++seed) {
      SymmetricHeap heap = make_heap("reference", num_ranks, seed);
      EXPECT_TRUE(GetParam().run(heap, "")) << num_ranks << " ranks, seed " << seed;
    }
}

TEST_P(Programs, AreCaughtWithWrongValuesWhenTheyForgetAWait) {
  for (const std::string& wait : GetParam().waits) {
    std::uint64_t seed = 0;
    const auto is_right = [&] {
      SymmetricHeap heap = make_heap("reference", 4, seed);
      return GetParam().run(heap, wait);
    };
    while (seed < kSeeds && is_right()) ++seed;
    EXPECT_LT(seed, kSeeds) << "no seed shows that the wait for '" << wait << "' is missing";
    EXPECT_FALSE(is_right()) << "seed " << seed << " gave two results";
  }
}

INSTANTIATE_TEST_SUITE_P(Spmd, Programs, ::testing::ValuesIn(spmd_programs::kAll),
                         [](const auto& test) { return test.param.name; });

class SymmetricHeapTest : public ::testing::TestWithParam<std::string> {
 protected:
  SymmetricHeap make(int num_ranks) const { return make_heap(GetParam(), num_ranks); }
};

TEST_P(SymmetricHeapTest, SignalsCountFromZeroInEveryRunAndBuffersStay) {
  SymmetricHeap heap = make(2);
  const SymmetricBuffer sum = heap.allocate("sum", dtype::i32, {});
  const SymmetricSignal come = heap.signal("come");
  for (int rank = 0; rank < 2; ++rank) heap.elements<std::int32_t>(rank, sum)[0] = 0;
  for (int run = 1; run <= 3; ++run) {
    heap.spmd([&](Rank& rank) {
      EXPECT_EQ(rank.value(come), 0U);
      rank.barrier();
      const int peer = rank.neighbour(1);
      rank.raise(peer, come);
      rank.raise(peer, come);
      rank.wait(come, 2);
      EXPECT_EQ(rank.value(come), 2U);
      ++rank.elements<std::int32_t>(sum)[0];
    });
    EXPECT_EQ(heap.elements<std::int32_t>(1, sum)[0], run);
  }
}

TEST_P(SymmetricHeapTest, AWordMayHaveAnotherWriterInAnotherRun) {
  SymmetricHeap heap = make(3);
  const SymmetricSignal come = heap.signal("come");
  for (int writer = 0; writer < 3; ++writer)
    heap.spmd([&](Rank& rank) {
      if (rank.id() == writer)
        for (int peer = 0; peer < 3; ++peer) rank.raise(peer, come);
      rank.wait(come, 1);
    });
}

TEST_P(SymmetricHeapTest, RaisesShowInTheOrderInWhichTheyWereAskedFor) {
  SymmetricHeap heap = make(2);
  const SymmetricBuffer large = heap.allocate("large", dtype::i32, {4096});
  const SymmetricSignal come = heap.signal("come");
  heap.spmd([&](Rank& rank) {
    if (rank.id() == 0) {
      std::ranges::fill(rank.elements<std::int32_t>(large), 5);
      rank.put(1, large, large, come);
      rank.raise(1, come);  // behind the put, though it has nothing to copy
    } else {
      rank.wait(come, 2);
      EXPECT_TRUE(spmd_programs::is_all(rank.elements<std::int32_t>(large), 5));
    }
  });
}

TEST_P(SymmetricHeapTest, BarriersOfAllChannelsHoldBackWhoeverComesEarly) {
  constexpr int kRanks = 5, kRounds = 12;
  SymmetricHeap heap = make(kRanks);
  const SymmetricBuffer round_of = heap.allocate("round", dtype::i32, {1});
  heap.spmd([&](Rank& rank) {
    for (int round = 1; round <= kRounds; ++round) {
      rank.elements<std::int32_t>(round_of)[0] = round;
      rank.barrier(round % 4);
      for (int peer = 0; peer < kRanks; ++peer)
        EXPECT_EQ(elements_of<std::int32_t>(rank.peer_view(peer, round_of))[0], round);
      rank.barrier(0);
    }
  });
}

TEST_P(SymmetricHeapTest, BoxesMoveWhereverTheyLie) {
  SymmetricHeap heap = make(2);
  const SymmetricBuffer x = heap.allocate("x", dtype::f32, {4, 6}), y = heap.allocate("y", dtype::f32, {4, 6});
  heap.spmd([&](Rank& rank) {
    float i = 0;
    for (float& element : rank.elements<float>(x)) element = static_cast<float>(100 * rank.id()) + i++;
    std::ranges::fill(rank.elements<float>(y), -1.0F);
    rank.barrier();
    const int peer = rank.neighbour(1);
    rank.put(peer, y[{{1, 3}, {0, 2}}], x[{{2, 4}, {4, 6}}]);
    rank.put(peer, y[{{0, 0}, {0, 6}}], x[{{4, 4}, {0, 6}}]);  // nothing
    rank.get(y[{{3, 4}, {5, 6}}], peer, x[{{0, 1}, {0, 1}}]).wait_arrived();
    rank.quiet();
    rank.barrier();
  });
  EXPECT_THAT(heap.elements<float>(0, y), ::testing::ElementsAre(-1, -1, -1, -1, -1, -1, 116, 117, -1, -1, -1, -1, 122,
                                                                 123, -1, -1, -1, -1, -1, -1, -1, -1, -1, 100));
}

TEST_P(SymmetricHeapTest, MemoryThatIsNotSymmetricMayBeSourceAndDestination) {
  SymmetricHeap heap = make(2);
  const SymmetricBuffer x = heap.allocate("x", dtype::i32, {3});
  const SymmetricSignal come = heap.signal("come");
  heap.spmd([&](Rank& rank) {
    HostArray mine(dtype::i32, {3}), back(dtype::i32, {3});
    std::ranges::fill(mine.elements<std::int32_t>(), rank.id());
    RemoteCopy copy = rank.put(rank.neighbour(1), x, mine.view(), come);
    copy.wait_sent();
    copy.wait_arrived();
    rank.barrier();
    rank.get(back.view(), rank.neighbour(1), x).wait_arrived();
    EXPECT_THAT(back.elements<std::int32_t>(), ::testing::Each(rank.id())) << "my own, from where I have put it";
  });
}

TEST_P(SymmetricHeapTest, AStreamIsOverWhenItIsSynchronized) {
  SymmetricHeap heap = make(3);
  const SymmetricBuffer x = heap.allocate("x", dtype::i32, {1}), chain = heap.allocate("chain", dtype::i32, {4});
  heap.spmd([&](Rank& rank) {
    rank.elements<std::int32_t>(x)[0] = rank.id() + 1;
    Stream stream = rank.stream(7);
    stream.synchronize();  // there is nothing in it
    stream.copy(rank.view(chain.rows(0, 1)), rank.view(x));
    for (int i = 1; i < 4; ++i) stream.copy(rank.view(chain.rows(i, i + 1)), rank.view(chain.rows(i - 1, i)));
    stream.synchronize();
    EXPECT_EQ(rank.elements<std::int32_t>(chain)[3], rank.id() + 1);
  });
}

TEST_P(SymmetricHeapTest, LocalArithmeticReadsPeersInPlace) {
  SymmetricHeap heap = make(2);
  const SymmetricBuffer a = heap.allocate("a", dtype::f32, {2, 3}), b = heap.allocate("b", dtype::f32, {3, 2});
  const SymmetricBuffer c = heap.allocate("c", dtype::f32, {2, 2});
  heap.spmd([&](Rank& rank) {
    std::ranges::fill(rank.elements<float>(a), static_cast<float>(rank.id() + 1));
    std::ranges::fill(rank.elements<float>(b), -1.0F);
    rank.barrier();
    const int peer = rank.neighbour(1);
    rank.gemm(rank.view(c), rank.peer_view(peer, a), rank.view(b));
    rank.gemm(rank.view(c), rank.view(a), rank.view(b), "ij,jk->ik", true);
    EXPECT_THAT(rank.elements<float>(c), ::testing::Each(-9.0F));
    const ConstView sum = rank.view(c);
    rank.map(rank.view(c), MapFunction::kRelu, std::span(&sum, 1));
    rank.barrier();
  });
  EXPECT_THAT(heap.elements<float>(1, c), ::testing::Each(0.0F));
}

TEST_P(SymmetricHeapTest, RanksKnowTheirPlace) {
  SymmetricHeap heap = SymmetricHeap::on(GetParam(), {{"X", 2}, {"Y", 3}});
  EXPECT_EQ(heap.num_ranks(), 6);
  heap.spmd([&](Rank& rank) {
    EXPECT_EQ(rank.num_ranks(), 6);
    EXPECT_EQ(rank.mesh().coordinate(rank.id(), 1), rank.id() % 3);
    EXPECT_EQ(rank.neighbour(-7), (rank.id() + 5) % 6);
    EXPECT_EQ(rank.neighbour(13), (rank.id() + 1) % 6);
  });
}

INSTANTIATE_TEST_SUITE_P(Backends, SymmetricHeapTest, ::testing::Values("threads", "reference"),
                         [](const auto& test) { return test.param; });

TEST(SymmetricHeapMemory, HoldsZerosOrWhatShows) {
  SymmetricHeap threads = make_heap("threads", 2), reference = make_heap("reference", 2);
  EXPECT_EQ(threads.elements<float>(1, threads.allocate("x", dtype::f32, {2}))[1], 0.0F);
  EXPECT_TRUE(std::isnan(reference.elements<float>(1, reference.allocate("x", dtype::f32, {2}))[1]));
}

}  // namespace
}  // namespace meshmul
