#include "partial_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "schedule/op_regions.hpp"
#include "token_run.hpp"

namespace meshmul::verification {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 31;

class Counter {
 public:
  explicit Counter(const Schedule& schedule)
      : schedule_(schedule), counts_(schedule.ranks.size() * schedule.buffers.size()) {
    for (const Holding& holding : schedule.contract.inputs) write(holding.region, 1);
  }

  void run() {
    for (const OpPlace& place : run_tokens(schedule_).steps) {
      const Lane& lane =
          schedule_.ranks[static_cast<std::size_t>(place.rank)].lanes[static_cast<std::size_t>(place.lane)];
      const Op& op = lane.ops[static_cast<std::size_t>(place.op)];
      if (!is_signal_or_wait(op)) write(destination(op), count_of(op));
    }
  }

  std::int64_t most_at(const Region& region) {
    std::int64_t most = 0;
    for (const auto& [box, count] : of(region))
      if (overlap(box, region.box)) most = std::max(most, count);
    return most;
  }

 private:
  using Counts = std::vector<std::pair<Box, std::int64_t>>;  // boxes that do not overlap

  Counts& of(const Region& region) {
    return counts_[static_cast<std::size_t>(region.rank) * schedule_.buffers.size() +
                   static_cast<std::size_t>(region.buffer)];
  }

  // Partial sums in the destination of `op` once it is done.
  std::int64_t count_of(const Op& op) {
    const auto* map = std::get_if<Map>(&op);
    std::int64_t count = std::holds_alternative<Gemm>(op) ? 1 : 0;
    if (!std::holds_alternative<Gemm>(op))
      for (const Region& source : sources(op)) {
        const std::int64_t of_source = most_at(source);
        count = map != nullptr && map->function != MapFunction::kAdd ? std::max(count, of_source) : count + of_source;
      }
    if (reads_destination(op)) count += most_at(destination(op));
    return std::min(count, kMost);
  }

  void write(const Region& region, std::int64_t count) {
    if (region.box.empty()) return;
    Counts& counts = of(region);
    Counts kept;
    for (auto& [box, old] : counts) {
      if (!overlap(box, region.box)) {
        kept.emplace_back(std::move(box), old);
        continue;
      }
      for (const Box& rest : subtract(box, region.box)) kept.emplace_back(rest, old);
    }
    kept.emplace_back(region.box, count);
    counts = std::move(kept);
  }

  const Schedule& schedule_;
  std::vector<Counts> counts_;  // by rank and buffer
};

}  // namespace

std::int64_t most_partial_sums(const Schedule& schedule) {
  Counter counter(schedule);
  counter.run();
  std::int64_t most = 1;
  for (const Holding& holding : schedule.contract.outputs) most = std::max(most, counter.most_at(holding.region));
  return most;
}

}  // namespace meshmul::verification
