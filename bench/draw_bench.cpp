// How long do traces and pages take? A ring of gathers and products on 64 ranks, repeated until it has a million ops.

#include <benchmark/benchmark.h>

#include <ostream>
#include <streambuf>

#include "meshmul/draw.hpp"

namespace {

using meshmul::Drawing;
using meshmul::Schedule;
using meshmul::Timeline;

/// Counts what is written to it.
class CountingBuffer : public std::streambuf {
 public:
  std::int64_t bytes() const { return bytes_; }

 private:
  std::streamsize xsputn(const char*, std::streamsize size) override {
    bytes_ += size;
    return size;
  }
  int_type overflow(int_type sign) override {
    ++bytes_;
    return traits_type::not_eof(sign);
  }

  std::int64_t bytes_ = 0;
};

constexpr int kRanks = 64;

meshmul::Region rows(int rank, int buffer, int row) { return {rank, buffer, {{row, row + 1}, {0, 128}}}; }

/// Every round puts a chunk to the right and multiplies the one that came from the left.
Schedule ring(int rounds) {
  Schedule schedule;
  schedule.contract.mesh = meshmul::Mesh{{"X", kRanks}};
  schedule.buffers = {{"chunks", meshmul::Dtype::kF32, {kRanks, 128}},
                      {"weights", meshmul::Dtype::kF32, {128, 128}, false},
                      {"product", meshmul::Dtype::kF32, {kRanks, 128}, false}};
  schedule.signals = {{"got"}, {"multiplied"}};
  for (int rank = 0; rank < kRanks; ++rank) {
    meshmul::Lane copy{"copy0", {}}, compute{"compute", {}};
    for (int round = 0; round < rounds; ++round) {
      const int row = (rank + round) % kRanks;
      const auto count = static_cast<std::uint64_t>(round) + 1;
      const meshmul::Region weights{rank, 1, {{0, 128}, {0, 128}}};
      copy.ops.emplace_back(meshmul::Put{rows((rank + 1) % kRanks, 0, row), rows(rank, 0, row), 0, {}});
      copy.ops.emplace_back(meshmul::Wait{1, count});
      compute.ops.emplace_back(meshmul::Wait{0, count});
      compute.ops.emplace_back(meshmul::Gemm{rows(rank, 2, row), rows(rank, 0, row), weights, "ij,jk->ik", false, {}});
      compute.ops.emplace_back(meshmul::Signal{rank, 1});
    }
    schedule.ranks.push_back({{std::move(copy), std::move(compute)}});
  }
  return schedule;
}

/// Each round lasts a microsecond.
Timeline timeline_of(const Schedule& schedule) {
  constexpr std::int64_t kRound = 1'000'000, kSend = 400'000, kMultiply = 600'000;
  Timeline timeline;
  const auto add = [&](const meshmul::OpPlace& place, meshmul::SpanKind kind, std::int64_t start, std::int64_t end) {
    timeline.spans.push_back({place, kind, 0, start, end});
  };
  for (int rank = 0; rank < kRanks; ++rank) {
    timeline.lanes.push_back({"copy0", "compute"});
    const auto rounds = static_cast<int>(schedule.ranks[0].lanes[0].ops.size() / 2);
    for (int round = 0; round < rounds; ++round) {
      const std::int64_t start = round * kRound;
      add({rank, 0, 2 * round}, meshmul::SpanKind::kTransfer, start, start + kSend);
      add({rank, 0, 2 * round + 1}, meshmul::SpanKind::kWait, start, start + kRound);
    }
    for (int round = 0; round < rounds; ++round) {
      const std::int64_t start = round * kRound;
      add({rank, 1, 3 * round}, meshmul::SpanKind::kWait, start, start + kSend);
      add({rank, 1, 3 * round + 1}, meshmul::SpanKind::kProduct, start + kSend, start + kSend + kMultiply);
      add({rank, 1, 3 * round + 2}, meshmul::SpanKind::kSignal, start + kRound, start + kRound);
    }
  }
  timeline.makespan_ps = timeline.spans.back().end_ps;
  return timeline;
}

void trace(benchmark::State& state) {
  const Schedule schedule = ring(static_cast<int>(state.range(0)));
  const Timeline timeline = timeline_of(schedule);
  const Drawing drawing{.schedule = &schedule, .predicted = &timeline};
  CountingBuffer buffer;
  for (auto _ : state) {
    std::ostream out(&buffer);
    meshmul::write_trace(drawing, out);
  }
  state.counters["slices"] = static_cast<double>(timeline.spans.size());
  state.counters["bytes"] = static_cast<double>(buffer.bytes() / state.iterations());
}
BENCHMARK(trace)->Arg(32)->Arg(3125)->Unit(benchmark::kMillisecond);

void page(benchmark::State& state) {
  const Schedule schedule = ring(static_cast<int>(state.range(0)));
  const Timeline timeline = timeline_of(schedule);
  const Drawing drawing{.schedule = &schedule, .predicted = &timeline};
  std::size_t bytes = 0;
  for (auto _ : state) bytes = meshmul::page_html(drawing).size();
  state.counters["ops"] = static_cast<double>(timeline.spans.size());
  state.counters["bytes"] = static_cast<double>(bytes);
}
BENCHMARK(page)->Arg(32)->Arg(3125)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
