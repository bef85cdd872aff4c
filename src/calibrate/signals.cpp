#include "signals.hpp"

#include <algorithm>

namespace meshmul::calibration {
namespace {

constexpr double kLeastSeconds = 1e-9;
constexpr int kCalls = 20'000;  // take far longer than a run to start
constexpr int kPings = 500;
constexpr int kNaps = 8;

// The time of a whole run, without the readings of clocks that recording takes.
double run_seconds(const Bench& bench, const Schedule& probe) {
  ExecuteOptions options;
  options.interrupted = bench.options.interrupted;
  const auto session = bench.executor.open(probe, options);
  session->run();
  std::vector<double> seconds;
  for (int round = 0; round < bench.options.rounds; ++round) seconds.push_back(session->run().seconds);
  return typical(std::move(seconds));
}

double op_seconds(const Bench& bench) {
  Schedule probe = empty_probe(1);
  probe.signals = {{"own"}};
  for (int i = 0; i < kCalls; ++i) ops_of(probe, 0).emplace_back(Signal{0, 0});
  return std::max(kLeastSeconds, run_seconds(bench, probe) / kCalls);
}

// Two ranks answer each other: signal, wait, signal, …
double notice_seconds(const Bench& bench, double op_seconds) {
  Schedule probe = empty_probe(2);
  probe.signals = {{"ping"}};
  for (std::uint64_t i = 1; i <= kPings; ++i) {
    ops_of(probe, 0).emplace_back(Signal{1, 0});
    ops_of(probe, 0).emplace_back(Wait{0, i});
    ops_of(probe, 1).emplace_back(Wait{0, i});
    ops_of(probe, 1).emplace_back(Signal{0, 0});
  }
  return std::max(kLeastSeconds, run_seconds(bench, probe) / (2 * kPings) - 2 * op_seconds);
}

// Rank 0 works for much longer than rank 1 stays awake, then signals.
double wake_seconds(const Bench& bench) {
  Schedule probe = empty_probe(2);
  probe.signals = {{"done"}};
  const Shape shape{std::int64_t{1} << 22};
  for (const char* name : {"target", "source"}) probe.buffers.push_back({name, Dtype::kF32, shape, true});
  for (std::uint64_t i = 1; i <= kNaps; ++i) {
    ops_of(probe, 0).emplace_back(Copy{{0, 0, Box::whole(shape)}, {0, 1, Box::whole(shape)}, {}, {}});
    ops_of(probe, 0).emplace_back(Signal{1, 0});
    ops_of(probe, 1).emplace_back(Wait{0, i});
  }
  LoadedProbe loaded(bench, std::move(probe));
  std::vector<double> seconds;
  for (int round = 0; round < bench.options.rounds; ++round) {
    loaded.run();
    const Timeline timeline = loaded.timeline();
    for (std::size_t i = 0; i < kNaps; ++i)
      seconds.push_back(static_cast<double>(timeline.spans[2 * kNaps + i].end_ps - timeline.spans[2 * i + 1].start_ps) *
                        1e-12);
  }
  return std::max(kLeastSeconds, typical(std::move(seconds)));
}

}  // namespace

SignalSeconds measure_signals(const Bench& bench) {
  SignalSeconds seconds;
  seconds.op = op_seconds(bench);
  seconds.notice = seconds.wake = seconds.op;
  if (bench.ranks == 1) return seconds;
  seconds.notice = notice_seconds(bench, seconds.op);
  seconds.wake = wake_seconds(bench);
  return seconds;
}

}  // namespace meshmul::calibration
