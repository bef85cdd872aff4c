#include "runs.hpp"

#include <algorithm>

namespace meshmul::calibration {
namespace {

enum Buffers { kTarget, kSource };

constexpr double kLeastSeconds = 1e-12;
constexpr std::int64_t kRowElements = 512;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 24;  // still in a cache, where rows count most
constexpr int kPasses = 4;

}  // namespace

double measure_run(const Bench& bench) {
  const std::int64_t bytes = std::min(kMostBytes, bench.options.largest_footprint);
  const std::int64_t rows = std::max<std::int64_t>(2, bytes / (2 * kRowElements * size_bytes(Dtype::kF32)));
  // Half of each row, and as many bytes side by side, in turn.
  Box halves = Box::whole({rows, kRowElements});
  halves[1].end /= 2;
  const Box together = Box::whole({rows / 2, kRowElements});
  Schedule probe = empty_probe(bench.ranks);
  for (const char* name : {"target", "source"})
    probe.buffers.push_back({name, Dtype::kF32, {rows, kRowElements}, true});
  for (int rank = 0; rank < bench.ranks; ++rank)
    for (int pass = 0; pass < kPasses; ++pass)
      for (const Box& box : {halves, together})
        ops_of(probe, rank).emplace_back(Copy{{rank, kTarget, box}, {(rank + 1) % bench.ranks, kSource, box}, {}, {}});
  LoadedProbe loaded(bench, std::move(probe));
  for (int round = 0; round < bench.options.rounds; ++round) loaded.run();
  const std::vector<double> seconds = loaded.op_seconds();
  return std::max(kLeastSeconds, (seconds[2 * kPasses - 2] - seconds[2 * kPasses - 1]) / static_cast<double>(rows));
}

}  // namespace meshmul::calibration
