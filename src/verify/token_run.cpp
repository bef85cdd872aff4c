#include "token_run.hpp"

#include "run_steps.hpp"
#include "schedule/effects.hpp"
#include "schedule/op_count.hpp"

namespace meshmul::verification {
namespace {

struct LanePosition {
  int rank;
  int lane;
  int op;
  const std::vector<Op>* ops;  // of the lane
};

class Runner {
 public:
  explicit Runner(const Schedule& schedule) : schedule_(schedule) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
      const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        lanes_.push_back({rank, static_cast<int>(lane), 0, &lanes[lane].ops});
    }
    run_.steps.reserve(static_cast<std::size_t>(num_ops(schedule)));
    run_.counters.resize(schedule.ranks.size() * schedule.signals.size());
    waiting_.resize(run_.counters.size());
  }

  TokenRun run() {
    for (std::size_t lane = lanes_.size(); lane-- > 0;) ready_.push_back(lane);
    while (!ready_.empty()) {
      const std::size_t lane = ready_.back();
      ready_.pop_back();
      advance(lane);
    }
    for (const LanePosition& lane : lanes_)
      if (lane.op < static_cast<int>(lane.ops->size())) run_.stuck.push_back({lane.rank, lane.lane, lane.op});
    return std::move(run_);
  }

 private:
  std::size_t word(int rank, int signal) const {
    return static_cast<std::size_t>(rank) * schedule_.signals.size() + static_cast<std::size_t>(signal);
  }

  // Runs the lane until its end or a wait that does not pass.
  void advance(std::size_t index) {
    LanePosition& lane = lanes_[index];
    const std::vector<Op>& ops = *lane.ops;
    for (; lane.op < static_cast<int>(ops.size()); ++lane.op) {
      const Op& op = ops[static_cast<std::size_t>(lane.op)];
      if (const auto* wait = std::get_if<Wait>(&op)) {
        const std::size_t awaited = word(lane.rank, wait->signal);
        if (run_.counters[awaited] < wait->threshold) {
          waiting_[awaited].push_back({index, wait->threshold});
          return;
        }
        run_.waits.push_back({{lane.rank, lane.lane, lane.op}, awaited, wait->threshold});
      }
      finish(lane, op);
    }
  }

  void finish(const LanePosition& lane, const Op& op) {
    run_.steps.push_back({lane.rank, lane.lane, lane.op});
    for (const Raise& raise : raises_of(op, lane.rank)) increment(word(raise.rank, raise.signal));
  }

  void increment(std::size_t raised) {
    const std::uint64_t value = ++run_.counters[raised];
    std::vector<Waiter>& waiting = waiting_[raised];
    if (waiting.empty()) return;
    std::erase_if(waiting, [&](const Waiter& waiter) {
      if (waiter.threshold > value) return false;
      ready_.push_back(waiter.lane);
      const LanePosition& lane = lanes_[waiter.lane];
      prefetch((*lane.ops)[static_cast<std::size_t>(lane.op)]);
      return true;
    });
  }

  struct Waiter {
    std::size_t lane;
    std::uint64_t threshold;
  };

  const Schedule& schedule_;
  TokenRun run_;
  std::vector<LanePosition> lanes_;
  std::vector<std::size_t> ready_;            // lanes that can step
  std::vector<std::vector<Waiter>> waiting_;  // by word
};

}  // namespace

TokenRun run_tokens(const Schedule& schedule) { return Runner(schedule).run(); }

}  // namespace meshmul::verification
