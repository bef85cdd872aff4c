#include "products.hpp"

#include <algorithm>

namespace meshmul::calibration {
namespace {

enum Buffers { kA, kB, kC };

struct Extents {
  std::int64_t m = 0, n = 0, k = 0;
  double flops() const { return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

Schedule empty_product_probe(const Bench& bench, Dtype dtype) {
  Schedule probe = empty_probe(bench.ranks);
  const std::int64_t largest = bench.options.extents.back();
  const Dtype sum = dtype == Dtype::kI8 ? Dtype::kI32 : dtype == Dtype::kF8e4m3 ? Dtype::kBf16 : dtype;
  for (const char* name : {"A", "B"}) probe.buffers.push_back({name, dtype, {largest, largest}, true});
  probe.buffers.push_back({"C", sum, {largest, largest}, true});
  return probe;
}

// In the leading corners of the buffers.
Gemm product(int rank, const Extents& extents) {
  const auto corner = [rank](Buffers buffer, std::int64_t rows, std::int64_t columns) {
    return Region{rank, buffer, Box::whole({rows, columns})};
  };
  return {corner(kC, extents.m, extents.n),
          corner(kA, extents.m, extents.k),
          corner(kB, extents.k, extents.n),
          "mk,kn->mn",
          false,
          {}};
}

// Small ones take no time to speak of, and are less sure.
constexpr double kManyFlops = 1e9;
constexpr int kTimesAsOften = 4;

}  // namespace

ProductTimes measure_products(const Bench& bench, Dtype dtype) {
  const std::vector<std::int64_t>& extents = bench.options.extents;
  std::vector<Extents> all;
  for (const std::int64_t m : extents)
    for (const std::int64_t n : extents)
      for (const std::int64_t k : extents) all.push_back({m, n, k});

  // 1. Two probes, of small and large products.
  std::vector<Schedule> schedules(2, empty_product_probe(bench, dtype));
  const auto is_large = [](const Extents& product) { return product.flops() >= kManyFlops; };
  for (int rank = 0; rank < bench.ranks; ++rank)
    for (const Extents& one : all) ops_of(schedules[is_large(one) ? 1 : 0], rank).push_back(product(rank, one));
  LoadedProbe small(bench, std::move(schedules[0])), large(bench, std::move(schedules[1]));
  for (int round = 0; round < bench.options.rounds; ++round) {
    for (int time = 0; time < kTimesAsOften; ++time) small.run();
    large.run();
  }

  // 2. The mean of all ranks.
  ProductTimes times{dtype, {extents.begin(), extents.end()}, {}, {}, {}};
  times.n = times.k = times.m;
  const std::vector<double> of_small = small.op_seconds(), of_large = large.op_seconds();
  std::size_t next[2] = {0, 0};
  for (const Extents& one : all) {
    const std::vector<double>& seconds = is_large(one) ? of_large : of_small;
    const std::size_t per_rank = seconds.size() / static_cast<std::size_t>(bench.ranks);
    std::size_t op = next[is_large(one) ? 1 : 0]++;
    double sum = 0;
    for (int rank = 0; rank < bench.ranks; ++rank, op += per_rank) sum += seconds[op];
    times.seconds.push_back(sum / bench.ranks);
  }
  return times;
}

AloneAndBusy measure_largest_product(const Bench& bench, Dtype dtype) {
  const std::int64_t largest = bench.options.extents.back();
  const Extents extents{largest, largest, largest};
  Schedule alone = empty_product_probe(bench, dtype), busy = alone;
  ops_of(alone, 0).push_back(product(0, extents));
  for (int rank = 0; rank < bench.ranks; ++rank) ops_of(busy, rank).push_back(product(rank, extents));
  std::vector<LoadedProbe> probes;
  probes.emplace_back(bench, std::move(alone));
  probes.emplace_back(bench, std::move(busy));
  run_in_turn(bench, probes);
  return {extents.flops() / probes[0].op_seconds().front(), extents.flops() / probes[1].op_seconds().front()};
}

}  // namespace meshmul::calibration
