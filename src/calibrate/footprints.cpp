#include "footprints.hpp"

#include <array>

namespace meshmul::calibration {
namespace {

enum Buffers { kOwn, kShared, kTarget };
constexpr int kNumBuffers = 3;

// How often a run goes through its memory; the first time is not counted, since other probes ran before.
constexpr int kPasses = 3;

// What a pass is made of: what each rank does, in this order.
enum class Kind { kCopy, kGet, kReduce, kPut, kMap };
constexpr std::array kKinds = {Kind::kCopy, Kind::kGet, Kind::kReduce, Kind::kPut, Kind::kMap};

// A rank makes data, which its peer reads and adds up; it makes data for its peer, which the peer reads. So lines of memory
// change their owner as they do in a collective.
Op op_of(Kind kind, int rank, int peer, const Box& box) {
  const Region own{rank, kOwn, box}, shared{rank, kShared, box}, target{rank, kTarget, box};
  const Region at_peer{peer, kShared, box};
  switch (kind) {
    case Kind::kCopy: return Copy{shared, own, {}, {}};
    case Kind::kGet: return Copy{target, at_peer, {}, {}};
    case Kind::kReduce: return Reduce{target, at_peer, {}, {}};
    case Kind::kPut: return Copy{at_peer, own, {}, {}};
    case Kind::kMap: return Map{target, MapFunction::kAdd, {own, shared}, {}};
  }
  __builtin_unreachable();
}

// How often the bytes of a buffer are read or written.
int times_moved(Kind kind) { return kind == Kind::kReduce || kind == Kind::kMap ? 3 : 2; }

std::int64_t elements(std::int64_t footprint_bytes) {
  return footprint_bytes / (kNumBuffers * size_bytes(Dtype::kF32));
}

Schedule empty_rate_probe(const Bench& bench, std::int64_t footprint_bytes) {
  Schedule probe = empty_probe(bench.ranks);
  for (const char* name : {"own", "shared", "target"})
    probe.buffers.push_back({name, Dtype::kF32, {elements(footprint_bytes)}, true});
  return probe;
}

// Rank 0 by itself.
Schedule alone_probe(const Bench& bench, std::int64_t footprint_bytes) {
  Schedule probe = empty_rate_probe(bench, footprint_bytes);
  for (int pass = 0; pass < kPasses; ++pass)
    for (const Kind kind : kKinds)
      ops_of(probe, 0).push_back(op_of(kind, 0, 1 % bench.ranks, Box::whole(probe.buffers.front().shape)));
  return probe;
}

// All ranks in a ring, each beside its neighbours: before each op a rank waits until they are done with the one before.
Schedule busy_probe(const Bench& bench, std::int64_t footprint_bytes) {
  Schedule probe = empty_rate_probe(bench, footprint_bytes);
  probe.signals = {{"from.left"}, {"from.right"}};
  for (int rank = 0; rank < bench.ranks; ++rank) {
    const int right = (rank + 1) % bench.ranks, left = (rank + bench.ranks - 1) % bench.ranks;
    std::uint64_t step = 0;
    for (int pass = 0; pass < kPasses; ++pass)
      for (const Kind kind : kKinds) {
        ++step;
        for (const Op& op : {Op{Signal{right, 0}}, Op{Signal{left, 1}}, Op{Wait{0, step}}, Op{Wait{1, step}},
                             op_of(kind, rank, right, Box::whole(probe.buffers.front().shape))})
          ops_of(probe, rank).push_back(op);
      }
  }
  return probe;
}

// By kind: what is typical of all passes but the first, of rank 0, whose ops come first.
std::array<double, kKinds.size()> rates_of(const LoadedProbe& probe, std::int64_t footprint_bytes, std::size_t stride) {
  const std::vector<double> seconds = probe.op_seconds();
  std::array<double, kKinds.size()> rates{};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    std::vector<double> of_kind;
    for (std::size_t pass = 1; pass < kPasses; ++pass)
      of_kind.push_back(seconds[(pass * kKinds.size() + kind) * stride + stride - 1]);
    const std::int64_t bytes = elements(footprint_bytes) * size_bytes(Dtype::kF32) * times_moved(kKinds[kind]);
    rates[kind] = static_cast<double>(bytes) / typical(std::move(of_kind));
  }
  return rates;
}

// Copies within a rank and puts are as often the one as the other.
double rate_of_copies(const std::array<double, kKinds.size()>& rates) { return 2 / (1 / rates[0] + 1 / rates[3]); }

}  // namespace

MeasuredRates measure_footprints(const Bench& bench) {
  constexpr std::size_t kOpsOfABusyStep = 5;
  MeasuredRates measured;
  for (std::int64_t bytes = bench.options.least_footprint; bytes <= bench.options.largest_footprint; bytes *= 2) {
    std::vector<LoadedProbe> probes;
    probes.emplace_back(bench, alone_probe(bench, bytes));
    probes.emplace_back(bench, bench.ranks == 1 ? alone_probe(bench, bytes) : busy_probe(bench, bytes));
    run_in_turn(bench, probes);
    const auto alone = rates_of(probes[0], bytes, 1);
    const auto busy = rates_of(probes[1], bytes, bench.ranks == 1 ? 1 : kOpsOfABusyStep);
    const auto add = [&](FootprintRates& rates, double alone_rate, double busy_rate) {
      rates.footprint_bytes.push_back(static_cast<double>(bytes));
      rates.bytes_per_second.push_back(alone_rate);
      rates.busy_bytes_per_second.push_back(busy_rate);
    };
    add(measured.copies, rate_of_copies(alone), rate_of_copies(busy));
    add(measured.gets, alone[1], busy[1]);
    add(measured.reductions, alone[2], busy[2]);
    add(measured.maps, alone[4], busy[4]);
  }
  return measured;
}

}  // namespace meshmul::calibration
