#include "probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "meshmul/random.hpp"

namespace meshmul::calibration {

Schedule empty_probe(int ranks) {
  Schedule probe;
  probe.contract.mesh = parse_mesh(fmt::format("X={}", ranks));
  probe.ranks.resize(static_cast<std::size_t>(ranks));
  for (RankProgram& rank : probe.ranks) rank.lanes.push_back({"compute", {}});
  return probe;
}

std::vector<Op>& ops_of(Schedule& probe, int rank) {
  return probe.ranks[static_cast<std::size_t>(rank)].lanes.front().ops;
}

double typical(std::vector<double> values) {
  const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quarter, values.end());
  return *quarter;
}

LoadedProbe::LoadedProbe(const Bench& bench, Schedule probe) : probe_(std::move(probe)) {
  ExecuteOptions options;
  options.record = true;
  options.interrupted = bench.options.interrupted;
  session_ = bench.executor.open(probe_, options);
  fill();
  session_->run();  // warms pages, caches and kernels
}

void LoadedProbe::fill() {
  for (int rank = 0; rank < probe_.num_ranks(); ++rank)
    for (std::size_t buffer = 0; buffer < probe_.buffers.size(); ++buffer) {
      const std::span<std::byte> bytes = session_->buffer(rank, static_cast<int>(buffer));
      if (bytes.empty()) continue;
      const BufferDecl& decl = probe_.buffers[buffer];
      const Box whole = Box::whole(decl.shape);
      fill_random(view_of(bytes.data(), decl.dtype, decl.shape, whole), whole, decl.shape, {.seed = buffer});
    }
}

void LoadedProbe::run() {
  session_->run();
  const Timeline measured = timeline();
  seconds_.resize(measured.spans.size());
  for (std::size_t op = 0; op < seconds_.size(); ++op)
    seconds_[op].push_back(static_cast<double>(measured.spans[op].duration_ps()) * 1e-12);
}

std::vector<double> LoadedProbe::op_seconds() const {
  std::vector<double> typical_seconds;
  for (const std::vector<double>& of_op : seconds_) typical_seconds.push_back(typical(of_op));
  return typical_seconds;
}

void run_in_turn(const Bench& bench, std::vector<LoadedProbe>& probes) {
  for (int round = 0; round < bench.options.rounds; ++round)
    for (LoadedProbe& probe : probes) probe.run();
}

}  // namespace meshmul::calibration
