// Collectives take what the formulas of docs/cost-model.md say that they must: without latency to the picosecond, with it
// within one in a hundred.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "schedule/builder.hpp"
#include "simulate/machines.hpp"

namespace meshmul {
namespace {

using namespace testing;

constexpr std::int64_t kPsPerByte = 1000;  // of kLinkRate
constexpr std::int64_t kHopPs = 1'000'000;

// An AllGather, ReduceScatter or AllToAll along X. Every device has or gets `shard_bytes`.
struct Case {
  MoveKind kind;
  std::string statement;
  std::int64_t shard_bytes;
};

Case all_gather(int n) {
  return {MoveKind::kAllGather, fmt::format("f32 A[I={}_X, J=60] -> A[I, J]", 8 * n), 4 * 8 * 60};
}
Case reduce_scatter(int n) {
  return {MoveKind::kReduceScatter, fmt::format("f32 A[I={}, J=60]{{U_X}} -> A[I_X, J]", 8 * n), 4 * 8 * 60};
}
Case all_to_all(int n) {
  return {MoveKind::kAllToAll, fmt::format("f32 A[I={}_X, J={}] -> A[I, J_X]", 8 * n, 8 * n), 4 * 8 * 8 * n};
}

std::int64_t makespan(const Case& move, int n, Algorithm algorithm, const Topology& topology,
                      const SimulateOptions& options) {
  const Schedule schedule = collective(move.kind, move.statement, fmt::format("X={}", n), algorithm);
  return simulate(schedule, machine(topology.kind), topology, options).makespan_ps;
}

Topology ring(int n) { return torus({{"X", n}}, true); }
Topology line(int n) { return torus({{"X", n}}, false); }
Topology port(int n) { return one_switch({{"X", n}}); }

// Additions are free, but each takes the picosecond that it is rounded up to, one a hop and one at the end.
constexpr std::int64_t rounding_ps(int n) { return n + 1; }

TEST(ClosedForms, ARingOneWay) {
  for (int n = 2; n <= 9; ++n)
    for (const Case& move : {all_gather(n), reduce_scatter(n)})
      for (const auto& [options, hop_ps] :
           {std::pair{without_latency(), std::int64_t{0}}, {SimulateOptions(), kHopPs}}) {
        const std::int64_t expected = (n - 1) * (move.shard_bytes * kPsPerByte + hop_ps);
        const std::int64_t found = makespan(move, n, Algorithm::kRing, ring(n), options);
        EXPECT_GE(found, expected) << move.statement;
        EXPECT_LE(found, expected + rounding_ps(n)) << move.statement;
      }
}

TEST(ClosedForms, ARingBothWaysWithTheOppositeBlockCutInTwo) {
  for (int n = 2; n <= 9; ++n)
    for (const Case& move : {all_gather(n), reduce_scatter(n)})
      for (const auto& [options, hop_ps] :
           {std::pair{without_latency(), std::int64_t{0}}, {SimulateOptions(), kHopPs}}) {
        const std::int64_t expected = (n - 1) * move.shard_bytes * kPsPerByte / 2 + n / 2 * hop_ps;
        const std::int64_t found = makespan(move, n, Algorithm::kRingBothWays, ring(n), options);
        EXPECT_GE(found, expected) << move.statement;
        EXPECT_LE(found, expected + rounding_ps(n)) << move.statement;
      }
}

// An AllGather, ReduceScatter and AllReduce of `shard_bytes` a device over all axes of a torus.
struct TorusCase {
  MoveKind kind;
  std::string statement;
  std::int64_t times = 1;  // as long as an AllGather
};
constexpr std::int64_t kRows = 24;  // of a shard; each part of it, and its halves, have whole rows
constexpr std::int64_t kTorusShardBytes = 4 * kRows * 10;

std::vector<TorusCase> torus_cases(const Mesh& mesh) {
  std::string axes;
  for (const MeshAxis& axis : mesh.axes()) axes += axis.name;
  const std::int64_t rows = kRows * mesh.num_devices();
  return {{MoveKind::kAllGather, fmt::format("f32 A[I={}_{}, J=10] -> A[I, J]", rows, axes)},
          {MoveKind::kReduceScatter, fmt::format("f32 A[I={}, J=10]{{U_{}}} -> A[I_{}, J]", rows, axes, axes)},
          {MoveKind::kAllReduce, fmt::format("f32 A[I={}, J=10]{{U_{}}} -> A[I, J]", rows, axes), 2}};
}

double ratio(const TorusCase& move, const Mesh& mesh, Algorithm algorithm) {
  const Schedule schedule = collective(move.kind, move.statement, mesh.str(), algorithm);
  const std::int64_t found =
      simulate(schedule, machine(NetworkKind::kTorus), torus(mesh, true), without_latency()).makespan_ps;
  const double links = static_cast<double>(mesh.num_axes()) * (algorithm == Algorithm::kRing ? 1 : 2);
  const double expected =
      static_cast<double>((mesh.num_devices() - 1) * kTorusShardBytes * kPsPerByte * move.times) / links;
  return static_cast<double>(found) / expected;
}

TEST(ClosedForms, RingsAlongAxesOfOneSizeKeepAllLinksOfATorusBusy) {
  for (const char* mesh : {"X=3,Y=3", "X=4,Y=4", "X=5,Y=5", "X=3,Y=3,Z=3"})
    for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kRingBothWays})
      for (const TorusCase& move : torus_cases(parse_mesh(mesh)))
        EXPECT_NEAR(ratio(move, parse_mesh(mesh), algorithm), 1, 2e-5) << mesh << " " << move.statement;
}

// A block goes over a link as a whole, so that links wait for one at times.
TEST(ClosedForms, RingsAlongAxesOfSeveralSizesNearlyDo) {
  const std::pair<const char*, double> cases[] = {
      {"X=4,Y=3", 1.0001}, {"X=4,Y=8", 1.02}, {"X=4,Y=16", 1.02}, {"X=3,Y=4,Z=3", 1.07}};
  for (const auto& [mesh, most] : cases)
    for (const TorusCase& move : torus_cases(parse_mesh(mesh))) {
      const double found = ratio(move, parse_mesh(mesh), Algorithm::kRingBothWays);
      EXPECT_GE(found, 0.9999) << mesh << " " << move.statement;
      EXPECT_LE(found, most) << mesh << " " << move.statement;
    }
}

TEST(ClosedForms, WithLatencyLargeBlocksAlongSeveralAxesAreWithinOneInAHundred) {
  const Mesh mesh{{"X", 4}, {"Y", 4}};
  const Schedule schedule =
      collective(MoveKind::kAllGather, "f32 A[I=384_XY, J=4000] -> A[I, J]", mesh.str(), Algorithm::kRingBothWays);
  const double expected = 15.0 * 4 * 24 * 4000 * kPsPerByte / 4 + 4 * kHopPs;
  const std::int64_t found = simulate(schedule, machine(NetworkKind::kTorus), torus(mesh, true)).makespan_ps;
  EXPECT_NEAR(static_cast<double>(found), expected, expected / 100);
}

// As the rings of src/schedule/collectives, but blocks are never cut: the opposite one goes forward.
Schedule all_gather_of_whole_chunks(int n) {
  ScheduleBuilder builder({{"X", n}});
  const int a = builder.add_buffer("A", Dtype::kF32, {n, 480});
  const auto block = [&](int rank, int owner) {
    const int at = (owner + 2 * n) % n;
    return Region{(rank + n) % n, a, {{at, at + 1}, {0, 480}}};
  };
  for (int hop = 0; hop < n / 2; ++hop)
    for (int rank = 0; rank < n; ++rank) {
      builder.put(kCopyLane0, block(rank + 1, rank - hop), block(rank, rank - hop));
      if (hop < (n - 1) / 2) builder.put(kCopyLane1, block(rank - 1, rank + hop), block(rank, rank + hop));
    }
  return builder.finish({builder.mesh(), {}, {}, {}, false});
}

TEST(ClosedForms, ARingBothWaysOfWholeChunks) {
  for (int n = 3; n <= 8; ++n) {
    const Schedule schedule = all_gather_of_whole_chunks(n);
    const Hardware hardware = machine(NetworkKind::kTorus);
    EXPECT_EQ(simulate(schedule, hardware, ring(n), without_latency()).makespan_ps, n / 2 * 4 * 480 * kPsPerByte);
    EXPECT_EQ(simulate(schedule, hardware, ring(n)).makespan_ps, n / 2 * (4 * 480 * kPsPerByte + kHopPs));
  }
}

TEST(ClosedForms, ALineTakesTwiceAsLongAsARing) {
  for (int n = 3; n <= 9; ++n) {
    const Case move = all_gather(n);
    const std::int64_t expected = (n - 1) * move.shard_bytes * kPsPerByte;
    EXPECT_EQ(makespan(move, n, Algorithm::kRingBothWays, line(n), without_latency()), expected);
    // The blocks that the builder cuts in two for a ring come a little later than whole ones would.
    const auto with_hops = static_cast<double>(expected + (n - 1) * kHopPs);
    EXPECT_NEAR(static_cast<double>(makespan(move, n, Algorithm::kRingBothWays, line(n), {})), with_hops,
                with_hops / 100);
  }
}

TEST(ClosedForms, ASwitchThatAllPeersSendThroughAtOnce) {
  for (int n = 2; n <= 9; ++n) {
    const std::int64_t gathered = (n - 1) * all_gather(n).shard_bytes * kPsPerByte;
    EXPECT_EQ(makespan(all_gather(n), n, Algorithm::kDirect, port(n), without_latency()), gathered);
    EXPECT_EQ(makespan(all_gather(n), n, Algorithm::kDirect, port(n), {}), gathered + kHopPs);
    const std::int64_t exchanged = (n - 1) * all_to_all(n).shard_bytes / n * kPsPerByte;
    EXPECT_EQ(makespan(all_to_all(n), n, Algorithm::kDirect, port(n), without_latency()), exchanged);
    EXPECT_EQ(makespan(all_to_all(n), n, Algorithm::kDirect, port(n), {}), exchanged + kHopPs);
  }
}

// A rank reads the terms of its peers in place, one peer after the other.
TEST(ClosedForms, ASwitchThroughWhichAllRanksReadTheTermsOfTheirBlocks) {
  for (int n = 2; n <= 9; ++n) {
    const Case move = reduce_scatter(n);
    const std::int64_t summed = (n - 1) * move.shard_bytes * kPsPerByte;
    for (const auto& [options, hop_ps] : {std::pair{without_latency(), std::int64_t{0}}, {SimulateOptions(), kHopPs}}) {
      const std::int64_t found = makespan(move, n, Algorithm::kDirect, port(n), options);
      EXPECT_GE(found, summed + (n - 1) * hop_ps) << n;
      EXPECT_LE(found, summed + (n - 1) * hop_ps + rounding_ps(n)) << n;
    }
    const Case all_reduce{MoveKind::kAllReduce, fmt::format("f32 A[I={}, J=60]{{U_X}} -> A[I, J]", 8 * n), 0};
    const std::int64_t twice = makespan(all_reduce, n, Algorithm::kDirect, port(n), without_latency());
    EXPECT_GE(twice, 2 * summed) << n;
    EXPECT_LE(twice, 2 * summed + rounding_ps(n)) << n;
  }
}

// What the busiest link carries, per byte of a device: formula (3).
double load_of_ring(int n) { return n % 2 == 0 ? n / 8.0 : (n * n - 1) / (8.0 * n); }
double load_of_line(int n) { return n % 2 == 0 ? n / 4.0 : (n * n - 1) / (4.0 * n); }

std::int64_t load_ps(const Case& move, double load) {
  return std::llround(static_cast<double>(move.shard_bytes * kPsPerByte) * load);
}

TEST(ClosedForms, AnAllToAllOnARing) {
  for (int n = 2; n <= 18; ++n) {
    const Case move = all_to_all(n);
    EXPECT_EQ(makespan(move, n, Algorithm::kRing, ring(n), without_latency()), load_ps(move, (n - 1) / 2.0)) << n;
    EXPECT_EQ(makespan(move, n, Algorithm::kRingBothWays, ring(n), without_latency()), load_ps(move, load_of_ring(n)))
        << n;
  }
}

// Opposite blocks go left and right in turn, which is even where there are a multiple of four devices.
TEST(ClosedForms, AnAllToAllOfAllPeersAtOnceOnARingOrLine) {
  for (const int n : {3, 4, 5, 7, 8, 9, 12, 16})
    EXPECT_EQ(makespan(all_to_all(n), n, Algorithm::kDirect, ring(n), without_latency()),
              load_ps(all_to_all(n), load_of_ring(n)))
        << n;
  for (int n = 2; n <= 12; ++n)
    EXPECT_EQ(makespan(all_to_all(n), n, Algorithm::kDirect, line(n), without_latency()),
              load_ps(all_to_all(n), load_of_line(n)))
        << n;
}

// One half of every block goes along X and then along Y, the other along Y and then along X, so that all links of the torus
// are busy all the time. This is the first of the two steps; the second one is like it.
Schedule half_an_all_to_all_on_a_torus(int size, std::int64_t columns) {
  const Mesh mesh{{"X", size}, {"Y", size}};
  ScheduleBuilder builder(mesh);
  const int first = builder.add_buffer("first", Dtype::kF32, {size, columns});
  const int second = builder.add_buffer("second", Dtype::kF32, {size, columns});
  const int out = builder.add_buffer("out", Dtype::kF32, {2 * size, columns});
  const auto row = [columns](int rank, int buffer, int at) {
    return Region{rank, buffer, {{at, at + 1}, {0, columns}}};
  };
  for (int rank = 0; rank < mesh.num_devices(); ++rank)
    for (int step = 1; step < size; ++step) {
      const int x = mesh.coordinate(rank, 0);
      const int y = mesh.coordinate(rank, 1);
      const int to_x = (x + step) % size;
      const int to_y = (y + step) % size;
      builder.put(kCopyLane0, row(mesh.device({to_x, y}), out, x), row(rank, first, to_x));
      builder.put(kCopyLane1, row(mesh.device({x, to_y}), out, size + y), row(rank, second, to_y));
    }
  return builder.finish({mesh, {}, {}, {}, false});
}

TEST(ClosedForms, AnAllToAllOnATorusTakesWhatOneAxisTakes) {
  for (const int size : {3, 4, 5, 8}) {
    const Mesh mesh{{"X", size}, {"Y", size}};
    const Schedule schedule = half_an_all_to_all_on_a_torus(size, 64);
    const Timeline timeline = simulate(schedule, machine(NetworkKind::kTorus), torus(mesh, true), without_latency());
    const std::int64_t half_of_shard_bytes = 4 * 64 * size;
    EXPECT_EQ(timeline.makespan_ps,
              std::llround(static_cast<double>(half_of_shard_bytes * kPsPerByte) * load_of_ring(size)));
  }
}

TEST(ClosedForms, AnAllToAllOfNodesBehindANetwork) {
  for (const int devices : {2, 4})
    for (const int nodes : {2, 3, 4}) {
      const int n = devices * nodes;
      Hardware hardware = machine(NetworkKind::kSwitch);
      hardware.network.nodes = NodeNetwork{devices, kLinkRate / 2, 3e-6};
      Topology topology = one_switch({{"X", n}});
      topology.in_node = {devices};
      topology.across_nodes = {nodes};
      const Case move = all_to_all(n);
      const Schedule schedule = collective(move.kind, move.statement, fmt::format("X={}", n), Algorithm::kDirect);
      const std::int64_t port_ps = move.shard_bytes * (devices - 1) / devices * kPsPerByte;
      const std::int64_t node_ps = move.shard_bytes * devices * (nodes - 1) / nodes * kPsPerByte * 2;
      EXPECT_EQ(simulate(schedule, hardware, topology, without_latency()).makespan_ps, std::max(port_ps, node_ps));
    }
}

TEST(ClosedForms, WithLatencyLargeExchangesAreWithinOneInAHundred) {
  for (const int n : {4, 5, 8}) {
    const Case move{MoveKind::kAllToAll, fmt::format("f32 A[I={}_X, J={}] -> A[I, J_X]", 4096 * n, 64 * n),
                    4 * 4096 * 64 * n};
    const double expected = static_cast<double>(load_ps(move, load_of_ring(n)) + n / 2 * kHopPs);
    for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRingBothWays})
      EXPECT_NEAR(static_cast<double>(makespan(move, n, algorithm, ring(n), {})), expected, expected / 100)
          << n << " " << name(algorithm);
  }
}

}  // namespace
}  // namespace meshmul
