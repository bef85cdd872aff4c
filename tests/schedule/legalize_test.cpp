#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "schedule/builder.hpp"
#include "schedule/checked_run.hpp"
#include "schedule/expect_all_right.hpp"
#include "schedule/local_product.hpp"
#include "schedule/placed_array.hpp"

namespace meshmul {
namespace {

constexpr Capabilities kAll{true, true, true, true};
constexpr Capabilities kNoGet{false, true, true, true};
constexpr Capabilities kNoAddressable{true, false, true, true};
constexpr Capabilities kNoStrided{true, true, false, true};
constexpr Capabilities kNoBarrier{true, true, true, false};

/// Two ranks with three buffers of 4 x 6, and the ops of `lanes`.
Schedule program(const std::string& lanes) {
  return parse_schedule(
      "meshmul schedule 1\n"
      "mesh X=2\n"
      "requires get addressable strided barrier\n"
      "buffer a f32 [4, 6] symmetric\n"
      "buffer b f32 [4, 6] symmetric\n"
      "buffer h bf16 [4, 6] symmetric\n"
      "signal s\n"
      "signal t\n"
      "signal u\n" +
      lanes);
}

/// The lanes of what `lanes` become for a backend that offers `available`.
std::string legal(const std::string& lanes, const Capabilities& available) {
  const std::string text = to_string(legalize(program(lanes), available));
  return text.substr(text.find("rank "));
}

TEST(Legalize, LeavesWhatTheBackendCanDoAndAsksForNoMoreThanIsUsed) {
  const std::string lanes =
      "rank 0\n"
      "  lane copy0\n"
      "    get a[0:4, 0:6] b@1[0:4, 0:6] arrived s\n"
      "    wait s >= 1\n";
  EXPECT_EQ(legal(lanes, kAll), lanes);
  const Schedule schedule = legalize(program(lanes), kAll);
  EXPECT_EQ(schedule.capabilities,
            (Capabilities{.get = true, .addressable = false, .strided = false, .barrier = true}));
  EXPECT_EQ(legal(lanes, {.get = true, .addressable = false, .strided = false}), lanes);
}

TEST(Legalize, WithoutABarrierEachRankTellsWhenItsMemoryMayBeTouchedAndIsDoneWith) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane copy0\n"
                  "    get a[0:4, 0:6] b@1[0:4, 0:6] arrived s\n"
                  "    wait s >= 1\n",
                  kNoBarrier),
            "rank 0\n"
            "  lane copy0\n"
            "    wait open.from1 >= 1\n"
            "    get a[0:4, 0:6] b@1[0:4, 0:6] arrived s\n"
            "    wait s >= 1\n"
            "    signal 1 done.copy0.from0\n"
            "rank 1\n"
            "  lane gate\n"
            "    signal 0 open.from1\n"
            "    wait done.copy0.from0 >= 1\n");
  EXPECT_FALSE(legalize(program("rank 0\n"), kNoBarrier).capabilities.barrier);
}

TEST(Legalize, WhatSignalsTellAlreadyIsNotToldAgain) {
  // Each rank asks the other, which is how it knows that it has begun, and hears when its bytes have been taken.
  const std::string lanes =
      "rank 0\n"
      "  lane copy0\n"
      "    signal 1 t\n"
      "    wait t >= 1\n"
      "    put a@1[0:4, 0:6] b[0:4, 0:6] arrived s sent u\n"
      "    wait s >= 1\n"
      "    wait u >= 1\n"
      "rank 1\n"
      "  lane copy0\n"
      "    signal 0 t\n"
      "    wait t >= 1\n"
      "    put a@0[0:4, 0:6] b[0:4, 0:6] arrived s sent u\n"
      "    wait s >= 1\n"
      "    wait u >= 1\n";
  EXPECT_EQ(legal(lanes, kNoBarrier), lanes);
}

TEST(Legalize, AnArrivalThatNobodyAwaitsIsAwaitedBeforeTheNextRun) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane copy0\n"
                  "    put a@1[0:4, 0:6] b[0:4, 0:6] arrived s\n",
                  kNoBarrier),
            "rank 0\n"
            "  lane copy0\n"
            "    wait open.from1 >= 1\n"
            "    put a@1[0:4, 0:6] b[0:4, 0:6] arrived s\n"
            "  lane gate\n"
            "    wait done.gate.from1 >= 1\n"
            "rank 1\n"
            "  lane gate\n"
            "    signal 0 open.from1\n"
            "    wait s >= 1\n"
            "    signal 0 done.gate.from1\n");
}

TEST(Legalize, WhatIsRewrittenRequiresABarrierIfThereIsOne) {
  Schedule schedule = program("rank 0\nlane copy0\nget a[0:4, 0:6] b@1[0:4, 0:6] arrived s\nwait s >= 1\n");
  schedule.capabilities.barrier = false;
  EXPECT_FALSE(legalize(schedule, kAll).capabilities.barrier);
  EXPECT_TRUE(legalize(schedule, kNoGet).capabilities.barrier);
  EXPECT_FALSE(legalize(schedule, {false, false, false, false}).capabilities.barrier);
}

TEST(Legalize, AGetThatNothingPrecedesIsPutWithoutBeingAskedFor) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane copy0\n"
                  "    get a[0:4, 0:6] b@1[0:4, 0:6] arrived s taken t\n"
                  "    wait s >= 1\n"
                  "rank 1\n"
                  "  lane compute\n"
                  "    wait t >= 1\n",
                  kNoGet),
            "rank 0\n"
            "  lane copy0\n"
            "    wait s >= 1\n"
            "rank 1\n"
            "  lane compute\n"
            "    wait t >= 1\n"
            "  lane serve.copy0.from0\n"
            "    put a@0[0:4, 0:6] b[0:4, 0:6] arrived s sent t\n");
}

TEST(Legalize, AnOwnerIsAskedOnceForGetsThatFollowOneAnother) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane copy0\n"
                  "    wait u >= 1\n"
                  "    get a[0:2, 0:6] b@1[0:2, 0:6] arrived s\n"
                  "    get a[2:4, 0:6] b@1[2:4, 0:6] arrived s\n"
                  "    wait s >= 2\n"
                  "rank 1\n"
                  "  lane compute\n"
                  "    map b[0:4, 0:6] zero\n"
                  "    signal 0 u\n",
                  kNoGet),
            "rank 0\n"
            "  lane copy0\n"
            "    wait u >= 1\n"
            "    signal 1 asked.copy0.from0\n"
            "    wait s >= 2\n"
            "rank 1\n"
            "  lane compute\n"
            "    map b[0:4, 0:6] zero\n"
            "    signal 0 u\n"
            "  lane serve.copy0.from0\n"
            "    wait asked.copy0.from0 >= 1\n"
            "    put a@0[0:2, 0:6] b[0:2, 0:6] arrived s\n"
            "    put a@0[2:4, 0:6] b[2:4, 0:6] arrived s\n");
}

TEST(Legalize, AWordThatSeveralOwnersComeToRaiseIsSplit) {
  const std::string text = to_string(legalize(parse_schedule("meshmul schedule 1\n"
                                                             "mesh X=3\n"
                                                             "requires get\n"
                                                             "buffer a f32 [3] symmetric\n"
                                                             "buffer b f32 [3] symmetric\n"
                                                             "signal s\n"
                                                             "rank 0\n"
                                                             "  lane copy0\n"
                                                             "    get a[0:1] b@1[0:1] arrived s\n"
                                                             "    get a[1:2] b@2[1:2] arrived s\n"
                                                             "    get a[2:3] b@1[2:3] arrived s\n"
                                                             "  lane compute\n"
                                                             "    wait s >= 1\n"
                                                             "    copy b[0:1] a[0:1]\n"
                                                             "    wait s >= 2\n"
                                                             "    wait s >= 3\n"),
                                              kNoGet));
  EXPECT_EQ(text.substr(text.find("signal ")),
            "signal s.from1\n"
            "signal s.from2\n"
            "rank 0\n"
            "  lane compute\n"
            "    wait s.from1 >= 1\n"
            "    copy b[0:1] a[0:1]\n"
            "    wait s.from2 >= 1\n"
            "    wait s.from1 >= 2\n"
            "rank 1\n"
            "  lane serve.copy0.from0\n"
            "    put a@0[0:1] b[0:1] arrived s.from1\n"
            "    put a@0[2:3] b[2:3] arrived s.from1\n"
            "rank 2\n"
            "  lane serve.copy0.from0\n"
            "    put a@0[1:2] b[1:2] arrived s.from2\n");
}

TEST(Legalize, WhatAnOpReadsAtAPeerIsFetchedBefore) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane compute\n"
                  "    reduce a[0:4, 0:6] b@1[0:4, 0:6]\n"
                  "    copy b[0:4, 0:6] h@1[0:4, 0:6]\n",
                  kNoAddressable),
            "rank 0\n"
            "  lane compute\n"
            "    get stage.compute.src1[0:4, 0:6] b@1[0:4, 0:6] arrived fetched.compute\n"
            "    wait fetched.compute >= 1\n"
            "    reduce a[0:4, 0:6] stage.compute.src1[0:4, 0:6]\n"
            "    get stage.compute.src1.2[0:4, 0:6] h@1[0:4, 0:6] arrived fetched.compute\n"
            "    wait fetched.compute >= 2\n"
            "    copy b[0:4, 0:6] stage.compute.src1.2[0:4, 0:6]\n");
}

TEST(Legalize, APlainCopyFromAPeerIsAGet) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane compute\n"
                  "    copy a[0:4, 0:6] b@1[0:4, 0:6]\n",
                  kNoAddressable),
            "rank 0\n"
            "  lane compute\n"
            "    get a[0:4, 0:6] b@1[0:4, 0:6] arrived fetched.compute\n"
            "    wait fetched.compute >= 1\n");
}

TEST(Legalize, WhatAnOpWritesAtAPeerIsPutAndConfirmedBeforeTheLaneTellsAnybody) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane compute\n"
                  "    reduce a@1[0:4, 0:6] b[0:4, 0:6] arrived s\n"
                  "    map h[0:4, 0:6] zero\n"
                  "    signal 1 t\n"
                  "rank 1\n"
                  "  lane compute\n"
                  "    wait s >= 1\n"
                  "    wait t >= 1\n",
                  kNoAddressable),
            "rank 0\n"
            "  lane compute\n"
            "    get stage.compute.dst[0:4, 0:6] a@1[0:4, 0:6] arrived fetched.compute\n"
            "    wait fetched.compute >= 1\n"
            "    reduce stage.compute.dst[0:4, 0:6] b[0:4, 0:6]\n"
            "    put a@1[0:4, 0:6] stage.compute.dst[0:4, 0:6] arrived s\n"
            "    map h[0:4, 0:6] zero\n"
            "    wait confirmed.compute.from1 >= 1\n"
            "    signal 1 t\n"
            "rank 1\n"
            "  lane compute\n"
            "    wait s >= 1\n"
            "    wait t >= 1\n"
            "  lane confirm.compute.from0\n"
            "    wait s >= 1\n"
            "    signal 0 confirmed.compute.from1\n");
}

TEST(Legalize, AnArrivedSignalOfALocalOpBecomesASignal) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane compute\n"
                  "    copy a[0:4, 0:6] b[0:4, 0:6] arrived s\n"
                  "  lane copy0\n"
                  "    wait s >= 1\n",
                  kNoAddressable),
            "rank 0\n"
            "  lane compute\n"
            "    copy a[0:4, 0:6] b[0:4, 0:6]\n"
            "    signal 0 s\n"
            "  lane copy0\n"
            "    wait s >= 1\n");
}

TEST(Legalize, AStridedPutIsPackedAndUnpacked) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane copy0\n"
                  "    put a@1[0:4, 0:2] b[0:4, 4:6] arrived s\n"
                  "    put a@1[0:4, 2:4] b[0:4, 2:4] arrived s\n"
                  "rank 1\n"
                  "  lane compute\n"
                  "    wait s >= 2\n",
                  kNoStrided),
            "rank 0\n"
            "  lane copy0\n"
            "    copy pack.copy0[0:4, 0:2] b[0:4, 4:6]\n"
            "    put unpack0@1[0:4, 0:2] pack.copy0[0:4, 0:2] arrived unpack.arrived.copy0.from0 sent pack.sent.copy0\n"
            "    wait pack.sent.copy0 >= 1\n"
            "    copy pack.copy0[0:4, 0:2] b[0:4, 2:4]\n"
            "    wait unpack.free.copy0.from1 >= 1\n"
            "    put unpack0@1[0:4, 0:2] pack.copy0[0:4, 0:2] arrived unpack.arrived.copy0.from0\n"
            "rank 1\n"
            "  lane compute\n"
            "    wait s >= 2\n"
            "  lane unpack.copy0.from0\n"
            "    wait unpack.arrived.copy0.from0 >= 1\n"
            "    copy a[0:4, 0:2] unpack0[0:4, 0:2]\n"
            "    signal 1 s\n"
            "    signal 0 unpack.free.copy0.from1\n"
            "    wait unpack.arrived.copy0.from0 >= 2\n"
            "    copy a[0:4, 2:4] unpack0[0:4, 0:2]\n"
            "    signal 1 s\n");
}

TEST(Legalize, AGetWithAStridedSourceIsServedAndOneWithAStridedDestinationUnpacked) {
  EXPECT_EQ(legal("rank 0\n"
                  "  lane copy0\n"
                  "    get a[0:2, 0:6] b@1[0:2, 0:6] arrived s\n"
                  "    get h[0:4, 0:2] h@1[0:4, 4:6] arrived t\n"
                  "    wait s >= 1\n"
                  "    wait t >= 1\n",
                  kNoStrided),
            "rank 0\n"
            "  lane copy0\n"
            "    get a[0:2, 0:6] b@1[0:2, 0:6] arrived s\n"
            "    wait s >= 1\n"
            "    wait t >= 1\n"
            "  lane unpack.serve.copy0.from0.from1\n"
            "    wait unpack.arrived.serve.copy0.from0.from1 >= 1\n"
            "    copy h[0:4, 0:2] unpack0[0:4, 0:2]\n"
            "    signal 0 t\n"
            "rank 1\n"
            "  lane serve.copy0.from0\n"
            "    copy pack.serve.copy0.from0[0:4, 0:2] h[0:4, 4:6]\n"
            "    put unpack0@0[0:4, 0:2] pack.serve.copy0.from0[0:4, 0:2] arrived "
            "unpack.arrived.serve.copy0.from0.from1\n");
}

/// C[I_X, K] from partial products that every rank writes straight into the memory of their owners: tile by tile, in
/// place or by accumulating there.
Schedule pushed_product(const Mesh& mesh, bool accumulate) {
  const Statement statement = parse_statement("A[I=7, J=6_X] * B[J=6_X, K=5] -> C[I_X, K]", mesh);
  const auto& [a_type, b_type, c_type] = std::get<Product>(statement);
  ScheduleBuilder builder(mesh);
  const PlacedArray a = place(builder, "A", a_type);
  const PlacedArray b = place(builder, "B", b_type);
  const PlacedArray c = place(builder, "C", c_type);
  const std::string einsum = einsum_of(a_type, b_type, c_type);
  std::vector<PlacedArray> tiles;
  for (int rank = 0; rank < builder.num_ranks() && !accumulate; ++rank)
    tiles.push_back(place(builder, "tile" + std::to_string(rank), c_type));
  for (int rank = 0; rank < builder.num_ranks(); ++rank)
    for (int owner = 0; owner < builder.num_ranks(); ++owner) {
      Box rows = a.held(rank);
      rows[0] = c.held(owner)[0];
      const Region dst = accumulate ? c.region(owner) : tiles[static_cast<std::size_t>(rank)].region(owner);
      if (dst.box.empty()) continue;
      builder.append(rank, kComputeLane,
                     Gemm{dst, a.region(rank, rows), b.region(rank), einsum, accumulate && rank > 0, {}});
    }
  for (int owner = 0; owner < builder.num_ranks() && !accumulate; ++owner) {
    builder.copy(c.region(owner), tiles[0].region(owner));
    for (int rank = 1; rank < builder.num_ranks(); ++rank)
      builder.reduce(c.region(owner), tiles[static_cast<std::size_t>(rank)].region(owner));
  }
  Contract contract{mesh, {statement}, holdings_of(a, "A"), holdings_of(c, "C"), false};
  for (const Holding& holding : holdings_of(b, "B")) contract.inputs.push_back(holding);
  return builder.finish(std::move(contract));
}

TEST(Legalize, ProductsThatPushTheirTilesAreRightOnEveryBackend) {
  for (const bool accumulate : {false, true})
    for (int size = 1; size <= 4; ++size) {
      const Schedule schedule = pushed_product(Mesh{{"X", size}}, accumulate);
      EXPECT_EQ(testing::redundant_wait_in(schedule), std::nullopt);
      for (const Capabilities& available : testing::all_capabilities()) {
        const Schedule legal = legalize(schedule, available);
        SCOPED_TRACE(to_string(legal));
        EXPECT_TRUE(testing::within(legal.capabilities, available));
        testing::expect_proven(legal);
        for (std::uint64_t seed = 0; seed < 5; ++seed) testing::expect_right_numbers(legal, seed);
        if (HasFailure()) return;
      }
    }
}

std::string message_of(const std::string& lanes) {
  try {
    legalize(program(lanes), kNoGet);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Legalize, SaysWhatItCannotFollow) {
  EXPECT_EQ(message_of("rank 0\nlane x\nget a[0:4, 0:6] b@1[0:4, 0:6] arrived s\nlane y\nsignal 0 s\n"),
            "signal s of rank 0 is raised by lane x of rank 0 and by lane y of rank 0; expected one writing lane");
  EXPECT_EQ(message_of("rank 0\nlane x\nget a[0:4, 0:6] b@1[0:4, 0:6] arrived s\nwait s >= 2\n"),
            "rank 0 waits for signal s to reach 2, but it is raised 1 times");
  EXPECT_EQ(message_of("rank 0\nlane x\nget a[0:4, 0:6] b@1[0:4, 0:6] arrived s\nwait t >= 1\n"),
            "rank 0 waits for signal t to reach 1, but it is raised 0 times");
}

}  // namespace
}  // namespace meshmul
