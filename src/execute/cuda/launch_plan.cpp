#include "execute/cuda/launch_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "meshmul/error.hpp"
#include "schedule/effects.hpp"

namespace meshmul::cuda {
namespace {

bool overlap(const Region& a, const Region& b) {
  return a.rank == b.rank && a.buffer == b.buffer && meshmul::overlap(a.box, b.box);
}

/// Gemms that may be under way at once.
class GemmRun {
 public:
  /// Whether `gemm` may join, right behind the last gemm if nothing was raised since.
  bool add(const Gemm& gemm, bool raised_since) {
    const bool continues = !gemms_.empty() && !raised_since && gemm.accumulate && gemm.c == gemms_.back()->c;
    for (std::size_t i = 0; i < gemms_.size(); ++i) {
      const Gemm& other = *gemms_[i];
      if (overlap(gemm.a, other.c) || overlap(gemm.b, other.c) || overlap(gemm.c, other.a) || overlap(gemm.c, other.b))
        return false;
      // The sum that is continued may itself continue what came before it; of all others it is apart.
      if (overlap(gemm.c, other.c) && !(continues && other.c == gemm.c)) return false;
    }
    gemms_.push_back(&gemm);
    return true;
  }

 private:
  std::vector<const Gemm*> gemms_;
};

class Planner {
 public:
  Planner(const Schedule& schedule, const KernelOf& kernel_of)
      : schedule_(schedule),
        kernel_of_(kernel_of),
        num_signals_(schedule.signals.size()),
        raised_(schedule.ranks.size() * num_signals_) {
    for (const RankProgram& rank : schedule.ranks) next_.emplace_back(rank.lanes.size());
  }

  std::vector<Launch> plan() {
    while (true) {
      while (single_ops()) {
      }
      if (!run_of_products()) break;
    }
    for_each_lane([&](int rank, int lane) {
      if (head(rank, lane) == nullptr) return;
      const Op& op = *head(rank, lane);
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("rank {}, lane {}, op {}: {}: nothing that runs before raises its signal as often", rank,
                              ops_of(rank, lane).name, next(rank, lane), to_string(schedule_, rank, op)));
    });
    return std::move(launches_);
  }

 private:
  const Lane& ops_of(int rank, int lane) const {
    return schedule_.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)];
  }
  int& next(int rank, int lane) { return next_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(lane)]; }
  const Op* op_at(int rank, int lane, int op) const {
    const std::vector<Op>& ops = ops_of(rank, lane).ops;
    return op < static_cast<int>(ops.size()) ? &ops[static_cast<std::size_t>(op)] : nullptr;
  }
  const Op* head(int rank, int lane) { return op_at(rank, lane, next(rank, lane)); }

  template <class F>
  void for_each_lane(F f) {
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank)
      for (int lane = 0; lane < static_cast<int>(next_[static_cast<std::size_t>(rank)].size()); ++lane) f(rank, lane);
  }

  std::uint64_t& raised(int rank, int signal) {
    return raised_[static_cast<std::size_t>(rank) * num_signals_ + static_cast<std::size_t>(signal)];
  }
  bool passes(int rank, const Wait& wait) { return raised(rank, wait.signal) >= wait.threshold; }

  void launch(const Launch& launch) {
    for (int i = 0; i < launch.num_ops; ++i)
      for (const Raise& raise : raises_of(*op_at(launch.rank, launch.lane, launch.first_op + i), launch.rank))
        ++raised(raise.rank, raise.signal);
    next(launch.rank, launch.lane) = launch.first_op + launch.num_ops;
    launches_.push_back(launch);
  }

  std::optional<int> kernel(int rank, const Op* op) const {
    const auto* gemm = op == nullptr ? nullptr : std::get_if<Gemm>(op);
    return gemm == nullptr ? std::nullopt : kernel_of_(rank, *gemm);
  }

  // Whether the lane stands at a product of some kernel, or at waits right ahead of one.
  bool before_products(int rank, int lane) {
    int op = next(rank, lane);
    while (op_at(rank, lane, op) != nullptr && std::holds_alternative<Wait>(*op_at(rank, lane, op))) ++op;
    return kernel(rank, op_at(rank, lane, op)).has_value();
  }

  // Launches, of every lane, what is no product of a kernel, as far as its waits pass.
  bool single_ops() {
    bool any = false;
    for_each_lane([&](int rank, int lane) {
      while (const Op* op = head(rank, lane)) {
        const auto* wait = std::get_if<Wait>(op);
        if (before_products(rank, lane) || (wait != nullptr && !passes(rank, *wait))) return;
        launch({rank, lane, next(rank, lane), 1, false});
        any = true;
      }
    });
    return any;
  }

  // Launches the longest run of the first lane, rank by rank from behind the last one, that stands at one.
  bool run_of_products() {
    const int num_ranks = schedule_.num_ranks();
    for (int i = 0; i < num_ranks; ++i) {
      const int rank = (first_rank_ + i) % num_ranks;
      for (int lane = 0; lane < static_cast<int>(next_[static_cast<std::size_t>(rank)].size()); ++lane) {
        const int length = before_products(rank, lane) ? run_length(rank, lane) : 0;
        if (length == 0) continue;
        launch({rank, lane, next(rank, lane), length, true});
        first_rank_ = (rank + 1) % num_ranks;
        return true;
      }
    }
    return false;
  }

  // Ops up to the last gemm that can be joined, or the last signal behind it.
  int run_length(int rank, int lane) {
    const int begin = next(rank, lane);
    GemmRun run;
    std::optional<int> kind;
    bool raised_since = false;
    int length = 0;
    for (int at = begin; const Op* op = op_at(rank, lane, at); ++at) {
      if (const auto* wait = std::get_if<Wait>(op)) {
        if (!passes(rank, *wait)) break;
      } else if (std::holds_alternative<Signal>(*op)) {
        if (length == 0) break;
        raised_since = true;
        length = at - begin + 1;
      } else if (const auto found = kernel(rank, op); found && (!kind || *kind == *found)) {
        const auto& gemm = std::get<Gemm>(*op);
        if (!run.add(gemm, raised_since)) break;
        kind = found;
        raised_since = gemm.arrived.has_value();
        length = at - begin + 1;
      } else {
        break;
      }
    }
    return length;
  }

  const Schedule& schedule_;
  const KernelOf& kernel_of_;
  std::size_t num_signals_;
  std::vector<std::uint64_t> raised_;
  std::vector<std::vector<int>> next_;
  std::vector<Launch> launches_;
  int first_rank_ = 0;
};

}  // namespace

std::vector<Launch> plan_launches(const Schedule& schedule, const KernelOf& kernel_of) {
  return Planner(schedule, kernel_of).plan();
}

}  // namespace meshmul::cuda
