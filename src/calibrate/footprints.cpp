#include "footprints.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "kernels/streaming.hpp"

namespace meshmul::calibration {
namespace {

enum Buffers { kOwn, kShared, kTarget };
constexpr int kNumBuffers = 3;

// How often a run goes through its memory; the first time is not counted, since other probes ran before.
constexpr int kPasses = 3;

enum class Kind { kCopy, kGet, kReduce, kSum, kPut, kMap };
constexpr std::size_t kNumKinds = 6;
using Seconds = std::array<double, kNumKinds>;

// What each rank does in a pass, in this order. Between two that read at a peer it has written anew what they read, so that
// lines of memory change their owner as they do in a collective. No reduction stands right behind a copy to its place, with
// which the executors would merge it.
constexpr std::array kSteps = {Kind::kCopy, Kind::kGet, Kind::kCopy, Kind::kReduce,
                               Kind::kCopy, Kind::kSum, Kind::kPut,  Kind::kMap};

std::vector<Op> ops_on(Kind kind, int rank, int peer, const Box& box) {
  const Region own{rank, kOwn, box}, shared{rank, kShared, box}, target{rank, kTarget, box};
  const Region at_peer{peer, kShared, box};
  switch (kind) {
    case Kind::kCopy: return {Copy{shared, own, {}, {}}};
    case Kind::kGet: return {Copy{target, at_peer, {}, {}}};
    case Kind::kReduce: return {Reduce{target, at_peer, {}, {}}};
    case Kind::kSum: return {Copy{target, own, {}, {}}, Reduce{target, at_peer, {}, {}}};
    case Kind::kPut: return {Copy{at_peer, own, {}, {}}};
    case Kind::kMap: return {Map{target, MapFunction::kAdd, {own, shared}, {}}};
  }
  __builtin_unreachable();
}

// How often the bytes of a buffer are read or written.
int times_moved(Kind kind) { return kind == Kind::kReduce || kind == Kind::kSum || kind == Kind::kMap ? 3 : 2; }

// How much memory a probe goes through, and in pieces of which size.
struct Extent {
  std::int64_t footprint_bytes = 0;
  std::int64_t piece_bytes = 0;

  std::int64_t elements() const { return footprint_bytes / (kNumBuffers * size_bytes(Dtype::kF32)); }
  std::int64_t buffer_bytes() const { return elements() * size_bytes(Dtype::kF32); }
  std::vector<Box> pieces() const {
    const std::int64_t step = std::max<std::int64_t>(1, piece_bytes / size_bytes(Dtype::kF32));
    std::vector<Box> boxes;
    for (std::int64_t begin = 0; begin < elements(); begin += step) {
      boxes.push_back(Box::whole({elements()}));
      boxes.back()[0] = {begin, std::min(begin + step, elements())};
    }
    return boxes;
  }
};

// The ops of one lane, and which of them make up each step of each pass.
struct ProbeLane {
  std::vector<Op> ops;
  std::vector<std::pair<std::size_t, std::size_t>> periods;  // the first op, and the one behind the last

  void add(Kind kind, int rank, int peer, const Extent& extent) {
    const std::size_t first = ops.size();
    for (const Box& piece : extent.pieces())
      for (Op& op : ops_on(kind, rank, peer, piece)) ops.push_back(std::move(op));
    periods.emplace_back(first, ops.size());
  }
};

Schedule empty_rate_probe(const Bench& bench, const Extent& extent) {
  Schedule probe = empty_probe(bench.ranks);
  for (const char* name : {"own", "shared", "target"})
    probe.buffers.push_back({name, Dtype::kF32, {extent.elements()}, true});
  return probe;
}

// A rank by itself.
ProbeLane lane_alone(const Bench& bench, const Extent& extent) {
  ProbeLane lane;
  for (int pass = 0; pass < kPasses; ++pass)
    for (const Kind kind : kSteps) lane.add(kind, 0, 1 % bench.ranks, extent);
  return lane;
}

// All ranks in a ring, each beside its neighbours: before each step a rank waits until they are done with the one before.
ProbeLane lane_among_all(const Bench& bench, const Extent& extent, int rank) {
  const int right = (rank + 1) % bench.ranks, left = (rank + bench.ranks - 1) % bench.ranks;
  ProbeLane lane;
  std::uint64_t step = 0;
  for (int pass = 0; pass < kPasses; ++pass)
    for (const Kind kind : kSteps) {
      ++step;
      for (Op op : {Op{Signal{right, 0}}, Op{Signal{left, 1}}, Op{Wait{0, step}}, Op{Wait{1, step}}})
        lane.ops.push_back(std::move(op));
      lane.add(kind, rank, right, extent);
    }
  return lane;
}

// A probe and the periods of rank 0, whose ops come first.
struct RateProbe {
  Schedule schedule;
  std::vector<std::pair<std::size_t, std::size_t>> periods;
};

RateProbe alone_probe(const Bench& bench, const Extent& extent) {
  RateProbe probe{empty_rate_probe(bench, extent), {}};
  ProbeLane lane = lane_alone(bench, extent);
  ops_of(probe.schedule, 0) = std::move(lane.ops);
  probe.periods = std::move(lane.periods);
  return probe;
}

RateProbe busy_probe(const Bench& bench, const Extent& extent) {
  if (bench.ranks == 1) return alone_probe(bench, extent);
  RateProbe probe{empty_rate_probe(bench, extent), {}};
  probe.schedule.signals = {{"from.left"}, {"from.right"}};
  for (int rank = 0; rank < bench.ranks; ++rank) {
    ProbeLane lane = lane_among_all(bench, extent, rank);
    ops_of(probe.schedule, rank) = std::move(lane.ops);
    if (rank == 0) probe.periods = std::move(lane.periods);
  }
  return probe;
}

// By kind: what is typical of all its steps in all passes but the first.
Seconds seconds_of(const LoadedProbe& probe, const std::vector<std::pair<std::size_t, std::size_t>>& periods) {
  const std::vector<double> op_seconds = probe.op_seconds();
  const auto at = [&](std::size_t op) { return op_seconds.begin() + static_cast<std::ptrdiff_t>(op); };
  std::array<std::vector<double>, kNumKinds> by_kind;
  for (std::size_t step = kSteps.size(); step < periods.size(); ++step)
    by_kind[static_cast<std::size_t>(kSteps[step % kSteps.size()])].push_back(
        std::accumulate(at(periods[step].first), at(periods[step].second), 0.0));
  Seconds seconds{};
  std::transform(by_kind.begin(), by_kind.end(), seconds.begin(),
                 [](std::vector<double>& of_kind) { return typical(std::move(of_kind)); });
  return seconds;
}

// What one rank alone and all ranks take.
std::array<Seconds, 2> measure(const Bench& bench, const Extent& extent) {
  RateProbe alone = alone_probe(bench, extent), busy = busy_probe(bench, extent);
  std::vector<LoadedProbe> probes;
  probes.emplace_back(bench, std::move(alone.schedule));
  probes.emplace_back(bench, std::move(busy.schedule));
  run_in_turn(bench, probes);
  return {seconds_of(probes[0], alone.periods), seconds_of(probes[1], busy.periods)};
}

// Of kinds that are alike: the mean of their times.
void add_rates(FootprintRates& rates, const Extent& extent, const std::array<Seconds, 2>& seconds,
               std::initializer_list<Kind> kinds) {
  const auto rate = [&](const Seconds& of_kinds) {
    double bytes = 0, taken = 0;
    for (const Kind kind : kinds) {
      bytes += static_cast<double>(extent.buffer_bytes()) * times_moved(kind);
      taken += of_kinds[static_cast<std::size_t>(kind)];
    }
    return bytes / taken;
  };
  rates.footprint_bytes.push_back(static_cast<double>(extent.footprint_bytes));
  rates.bytes_per_second.push_back(rate(seconds[0]));
  rates.busy_bytes_per_second.push_back(rate(seconds[1]));
}

}  // namespace

MeasuredRates measure_footprints(const Bench& bench) {
  constexpr std::int64_t kPieceBytes = kStreamBytes / 2;
  MeasuredRates measured;
  for (std::int64_t bytes = bench.options.least_footprint; bytes <= bench.options.largest_footprint; bytes *= 2) {
    const Extent extent{bytes, kPieceBytes};
    const std::array<Seconds, 2> seconds = measure(bench, extent);
    add_rates(measured.copies, extent, seconds, {Kind::kCopy, Kind::kPut});
    add_rates(measured.gets, extent, seconds, {Kind::kGet});
    add_rates(measured.reductions, extent, seconds, {Kind::kReduce});
    add_rates(measured.sums, extent, seconds, {Kind::kSum});
    add_rates(measured.maps, extent, seconds, {Kind::kMap});
  }
  for (std::int64_t bytes = bench.options.least_footprint; bytes <= bench.options.largest_footprint; bytes *= 2) {
    const Extent extent{bytes, bytes};
    if (extent.buffer_bytes() < kStreamBytes) continue;
    const std::array<Seconds, 2> seconds = measure(bench, extent);
    if (!measured.streams) measured.streams = Streams{static_cast<double>(kStreamBytes), {}, {}, {}};
    add_rates(measured.streams->copies, extent, seconds, {Kind::kCopy, Kind::kPut});
    add_rates(measured.streams->gets, extent, seconds, {Kind::kGet});
    add_rates(measured.streams->sums, extent, seconds, {Kind::kSum});
  }
  return measured;
}

}  // namespace meshmul::calibration
