#include "meshmul/world.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "meshmul/random.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::meshmul::testing::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

WorldOptions options() {
  WorldOptions options;
  options.execute.kernels = MESHMUL_TEST_KERNELS;
  options.execute.poison = true;
  return options;
}

/// Whole numbers from -3 to 3, exact in every sum below.
HostArray whole_numbers(const Shape& shape, std::uint64_t seed) {
  return random_array(Dtype::kF32, shape, {.seed = seed, .whole_numbers_to = 3});
}

HostArray product(const HostArray& a, const HostArray& b) {
  HostArray c(Dtype::kF32, {a.shape()[0], b.shape()[1]});
  for (std::int64_t i = 0; i < a.shape()[0]; ++i)
    for (std::int64_t k = 0; k < b.shape()[1]; ++k) {
      double sum = 0;
      for (std::int64_t j = 0; j < a.shape()[1]; ++j) sum += a[i * a.shape()[1] + j] * b[j * b.shape()[1] + k];
      c.set(i * b.shape()[1] + k, sum);
    }
  return c;
}

class WorldOn : public ::testing::TestWithParam<const char*> {
 protected:
  World world_ = World::on(GetParam(), {{"X", 3}, {"Y", 2}}, options());
};
INSTANTIATE_TEST_SUITE_P(Backends, WorldOn, ::testing::Values("reference", "threads", "processes"));

TEST_P(WorldOn, ScatterAndGatherAreInverse) {
  const HostArray whole = whole_numbers({7, 5}, 1);
  EXPECT_EQ(world_.scatter(whole, P("X", "Y")).gather(), whole);
  EXPECT_EQ(world_.scatter(whole, P({"Y", "X"}, nullptr)).gather(), whole);
  EXPECT_EQ(world_.scatter(whole, P(nullptr, "Y").unreduced({"X"})).gather(), whole);
}

TEST_P(WorldOn, EinsumIsTheProductForEveryOutputSharding) {
  const HostArray a = whole_numbers({7, 5}, 1);
  const HostArray b = whole_numbers({5, 8}, 2);
  const HostArray expected = product(a, b);
  const Array left = world_.scatter(a, P("X", "Y"));
  const Array right = world_.scatter(b, P(nullptr, "Y"));
  for (const P& output : {P(), P("X", "Y"), P({"X", "Y"}, nullptr), P(nullptr, "X").unreduced({"Y"})})
    EXPECT_EQ(einsum("ij,jk->ik", left, right, output).gather(), expected);
  EXPECT_EQ(einsum("ij,jk->ik", left, right).gather(), expected);
}

TEST_P(WorldOn, ResultsAreInputsOfTheNextEinsum) {
  const HostArray a = whole_numbers({4, 5}, 1);
  const HostArray b = whole_numbers({5, 6}, 2);
  const HostArray c = whole_numbers({6, 3}, 3);
  const Array ab = einsum("ij,jk->ik", world_.scatter(a, P("X", nullptr)), world_.scatter(b, P("Y", "X")));
  EXPECT_EQ(einsum("ik,kl->il", ab, world_.scatter(c, P("X", "Y"))).gather(), product(product(a, b), c));
}

TEST_P(WorldOn, RunsTheSameStatementAgain) {
  const HostArray b = whole_numbers({5, 6}, 2);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const HostArray a = whole_numbers({4, 5}, seed);
    EXPECT_EQ(einsum("ij,jk->ik", world_.scatter(a, P("X")), world_.scatter(b, P("X"))).gather(), product(a, b));
  }
}

TEST_P(WorldOn, CollectivesKeepTheWholeArray) {
  const HostArray whole = whole_numbers({7, 5}, 1);
  const Array cut = world_.scatter(whole, P("X", "Y"));
  const Array gathered = all_gather(cut, {"X"});
  EXPECT_EQ(gathered.type().sharding, (Sharding{{{}, {1}}, {}}));
  EXPECT_EQ(gathered.gather(), whole);
  EXPECT_EQ(all_to_all(cut, {"X"}, 1).gather(), whole);
  EXPECT_EQ(reshard(cut, P("Y", "X")).gather(), whole);
  const Array partial = world_.scatter(whole, P(nullptr, "Y").unreduced({"X"}));
  EXPECT_EQ(reduce_scatter(partial, {"X"}, 0).gather(), whole);
  EXPECT_EQ(all_reduce(partial, {"X"}).gather(), whole);
}

TEST_P(WorldOn, NeighboursExchangeShards) {
  const HostArray whole = whole_numbers({6, 4}, 1);
  const Array cut = world_.scatter(whole, P("X", "Y"));
  const auto same_shard = [&](const Array& moved, int rank, int source) {
    return std::ranges::equal(moved.shard(rank), cut.shard(source));
  };
  // On X=3,Y=2, rank = 2 x + y.
  const Array paired = exchange_pairs(cut, "X");
  for (const auto& [rank, source] : {std::pair(0, 2), std::pair(2, 0), std::pair(4, 4), std::pair(1, 3)})
    EXPECT_TRUE(same_shard(paired, rank, source)) << rank;
  const Array up = shift(cut, "X", 1);
  for (const auto& [rank, source] : {std::pair(2, 0), std::pair(4, 2), std::pair(0, 4)})
    EXPECT_TRUE(same_shard(up, rank, source)) << rank;
  EXPECT_EQ(shift(up, "X", -1).gather(), whole);
  EXPECT_EQ(error_of([&] { shift(world_.zeros(Dtype::kF32, {7}, P("X")), "X", 1); }),
            "neighbours exchange shards of one shape; those of rank 0 and rank 4 differ: [0:3] and [0:1]");
  EXPECT_EQ(error_of([&] { shift(cut, "Z", 1); }), "the mesh has no axis Z");
}

TEST_P(WorldOn, ZerosAreZero) {
  const HostArray sum = world_.zeros(Dtype::kI32, {3, 3}, P("X").unreduced({"Y"})).gather();
  EXPECT_EQ(sum, HostArray(Dtype::kI32, {3, 3}));
}

TEST(World, ArraysAreSavedAndLoaded) {
  World world = World::threads({{"X", 3}}, options());
  const HostArray whole = whole_numbers({7, 5}, 1);
  const std::string location = ::testing::TempDir() + "world_test.npy";
  world.scatter(whole, P("X")).save(location);
  const Array loaded = world.load(location, P(nullptr, "X"));
  EXPECT_EQ(loaded.gather(), whole);
  EXPECT_THAT(loaded.local_shape(0), ElementsAre(7, 2));
}

TEST(World, ElementsOfTheCallerMustFillTheShape) {
  World world = World::threads({{"X", 3}}, options());
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
  EXPECT_EQ(world.scatter(dtype::f32, bytes, {2, 3}, P("X")).gather()[4], 5);
  EXPECT_EQ(error_of([&] { world.scatter(dtype::f32, bytes, {2, 4}, P("X")); }),
            "24 bytes were given for an array of 32 bytes");
}

TEST(World, RandomArraysDoNotDependOnTheMesh) {
  World small = World::threads({{"X", 1}}, options());
  World large = World::threads({{"X", 4}}, options());
  EXPECT_EQ(small.random(dtype::f32, {9, 4}, P("X"), 5).gather(),
            large.random(dtype::f32, {9, 4}, P(nullptr, "X"), 5).gather());
}

TEST(World, RandomPartialSumsDiffer) {
  World world = World::threads({{"X", 2}}, options());
  const Array partial = world.random(dtype::f32, {9, 4}, P().unreduced({"X"}), 5);
  EXPECT_FALSE(std::ranges::equal(partial.shard(0), partial.shard(1)));
}

TEST(World, ArraysTellTheirShapes) {
  World world = World::threads({{"X", 4}}, options());
  const Array array = world.random(dtype::bf16, {10, 3}, P("X"));
  EXPECT_THAT(array.shape(), ElementsAre(10, 3));
  EXPECT_THAT(array.local_shape(3), ElementsAre(1, 3));
  EXPECT_EQ(array.local_box(3), (Box{{9, 10}, {0, 3}}));
  EXPECT_EQ(array.shard(0).size(), 3U * 3U * 2U);
}

TEST(World, AnArrayOfAnotherWorldIsRefused) {
  World one = World::threads({{"X", 2}}, options());
  World two = World::threads({{"X", 2}}, options());
  const Array a = one.zeros(dtype::f32, {2, 2}, P());
  const Array b = two.zeros(dtype::f32, {2, 2}, P());
  EXPECT_EQ(error_of([&] { einsum("ij,jk->ik", a, b); }),
            "an array of another world was given; arrays live on one world");
}

TEST(World, AnUnknownBackendIsRefusedWithThoseThatThereAre) {
  EXPECT_EQ(error_of([] { World::on("abacus", {{"X", 2}}); }),
            "backend \"abacus\" is none of reference, threads, processes");
}

TEST(World, PlansAreThoseThatEinsumCarriesOut) {
  World world = World::threads({{"X", 2}}, options());
  const Array a = world.zeros(dtype::f32, {4, 6}, P("X"));
  const Array b = world.zeros(dtype::f32, {6, 8}, P("X"));
  const Plan plan = world.plan_einsum("ij,jk->ik", a, b, P("X"));
  EXPECT_THAT(to_string(plan), HasSubstr("AllGather_X"));
}

}  // namespace
}  // namespace meshmul
