#include "host_program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host_times.hpp"
#include "meshmul/error.hpp"
#include "picoseconds.hpp"
#include "schedule/effects.hpp"
#include "schedule/merged_gemms.hpp"
#include "schedule/merged_sums.hpp"
#include "schedule/op_count.hpp"

namespace meshmul::simulation {
namespace {

class Flattener {
 public:
  Flattener(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options)
      : schedule_(schedule), times_(schedule, hardware, options) {
    const Host& host = *hardware.host;
    const int ranks = schedule.num_ranks();
    const int cores = host.cores.value_or(ranks);
    program_.ranks_per_core = static_cast<std::uint32_t>(
        std::max({(ranks + cores - 1) / cores, options.ranks_per_core, options.ranks_per_chip}));
    program_.num_words = schedule.ranks.size() * schedule.signals.size();
    program_.ops.reserve(static_cast<std::size_t>(num_ops(schedule)));
    program_.sleep_after_ps = picoseconds(static_cast<long double>(host.sleep_after_seconds));
    if (options.cost.latency == LatencyRule::kNone) return;
    program_.notice_ps = picoseconds(static_cast<long double>(host.notice_seconds));
    program_.wake_ps = picoseconds(static_cast<long double>(host.wake_seconds));
  }

  HostProgram run() {
    for (rank_ = 0; rank_ < schedule_.num_ranks(); ++rank_) {
      const auto first_lane = static_cast<std::uint32_t>(program_.lanes.size());
      for (const Lane& lane : schedule_.ranks[static_cast<std::size_t>(rank_)].lanes) add(lane);
      program_.ranks.push_back({first_lane, static_cast<std::uint32_t>(program_.lanes.size())});
    }
    check_sum();
    return std::move(program_);
  }

 private:
  void add(const Lane& lane) {
    const auto first_op = static_cast<std::uint32_t>(program_.ops.size());
    for (const Op& op : lane.ops) program_.ops.push_back(flat(op));
    for (const MergedGemm& merged : merged_gemms(schedule_, lane))
      if (merged.ops.size() > 1) merge(merged, lane, first_op);
    for (const MergedSum& merged : merged_sums(schedule_, lane)) merge(merged, first_op);
    program_.lanes.push_back({first_op, static_cast<std::uint32_t>(program_.ops.size())});
    program_.rank_of_lane.push_back(static_cast<std::uint32_t>(rank_));
  }

  // The first of the gemms takes the time of all of them, as the executors do it.
  void merge(const MergedGemm& merged, const Lane& lane, std::uint32_t first_op) {
    const auto at = [&](int op) -> HostOp& { return program_.ops[first_op + static_cast<std::uint32_t>(op)]; };
    for (const int op : merged.ops) {
      at(op).duration_ps = 0;
      at(op).is_product = false;
    }
    Gemm all = std::get<Gemm>(lane.ops[static_cast<std::size_t>(merged.ops.front())]);
    all.c = merged.c;
    all.a = merged.a;
    all.b = merged.b;
    at(merged.ops.front()).duration_ps = times_.of(all, rank_);
    at(merged.ops.front()).is_product = true;
  }

  // The copy takes the time of all that is added up, the reductions behind it none.
  void merge(const MergedSum& merged, std::uint32_t first_op) {
    const std::uint32_t copy = first_op + static_cast<std::uint32_t>(merged.first_op);
    for (std::uint32_t i = 0; i < merged.terms.size(); ++i) program_.ops[copy + i].duration_ps = 0;
    program_.ops[copy].duration_ps = times_.of(merged, rank_);
  }

  HostOp flat(const Op& op) {
    HostOp result;
    result.duration_ps = times_.of(op, rank_);
    result.lane = static_cast<std::uint32_t>(program_.lanes.size());
    result.is_product = std::holds_alternative<Gemm>(op);
    if (const auto* wait = std::get_if<Wait>(&op)) {
      result.awaited = word(rank_, wait->signal);
      result.threshold = wait->threshold;
    }
    std::size_t raise_number = 0;
    for (const Raise& raise : raises_of(op, rank_)) result.raises[raise_number++] = word(raise.rank, raise.signal);
    total_ps_ += static_cast<double>(result.duration_ps) + static_cast<double>(program_.notice_ps) +
                 static_cast<double>(program_.wake_ps);
    return result;
  }

  std::uint32_t word(int rank, int signal) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(rank) * schedule_.signals.size() +
                                      static_cast<std::size_t>(signal));
  }

  // No op can end later than if all ran one after the other.
  void check_sum() const {
    constexpr double kLargest = 9e18;
    if (total_ps_ > kLargest)
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("the ops of the schedule take {:.3g} s together; times are counted in picoseconds and hold "
                      "no more than {:.3g} s",
                      total_ps_ * 1e-12, kLargest * 1e-12));
  }

  const Schedule& schedule_;
  HostTimes times_;
  HostProgram program_;
  double total_ps_ = 0;
  int rank_ = 0;
};

}  // namespace

HostProgram flatten_for_host(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options) {
  return Flattener(schedule, hardware, options).run();
}

}  // namespace meshmul::simulation
