#include "runs.hpp"

#include <algorithm>

namespace meshmul::calibration {
namespace {

enum Buffers { kTarget, kSource };

constexpr double kLeastSeconds = 1e-12;
constexpr std::int64_t kRowElements = 1024;  // of which a copy takes half
constexpr int kPasses = 3;                   // of which the first is not counted

// Each rank copies half of each row of a peer to rows of half that length.
Schedule run_probe(const Bench& bench, std::int64_t rows) {
  Box halves = Box::whole({rows, kRowElements});
  halves[1].end /= 2;
  const Box target = Box::whole({rows, kRowElements / 2});
  Schedule probe = empty_probe(bench.ranks);
  probe.buffers = {{"target", Dtype::kF32, {rows, kRowElements / 2}, true},
                   {"source", Dtype::kF32, {rows, kRowElements}, true}};
  for (int rank = 0; rank < bench.ranks; ++rank)
    for (int pass = 0; pass < kPasses; ++pass)
      ops_of(probe, rank)
          .emplace_back(Copy{{rank, kTarget, target}, {(rank + 1) % bench.ranks, kSource, halves}, {}, {}});
  return probe;
}

}  // namespace

FootprintSeconds measure_runs(const Bench& bench, const FootprintRates& gets) {
  constexpr std::int64_t kRowBytes = kRowElements * 4;
  FootprintSeconds measured;
  for (std::int64_t bytes = bench.options.least_footprint; bytes <= bench.options.largest_footprint; bytes *= 2) {
    const std::int64_t rows = std::max<std::int64_t>(2, bytes / (kRowBytes + kRowBytes / 2));
    std::vector<LoadedProbe> probes;
    probes.emplace_back(bench, run_probe(bench, rows));
    run_in_turn(bench, probes);
    const std::vector<double> seconds = probes.front().op_seconds();
    const double together =
        static_cast<double>(rows * kRowBytes) / busy_bytes_per_second(gets, static_cast<double>(bytes));
    const double apart = typical({seconds.begin() + 1, seconds.begin() + kPasses});
    measured.footprint_bytes.push_back(static_cast<double>(bytes));
    measured.seconds.push_back(std::max(kLeastSeconds, (apart - together) / static_cast<double>(rows)));
  }
  return measured;
}

}  // namespace meshmul::calibration
