#include "critical_path.hpp"

#include <algorithm>
#include <cassert>

namespace meshmul::simulation {
namespace {

// Stands at a moment `at_` and asks what it was that could not end earlier.
class Walk {
 public:
  Walk(const FlatProgram& program, const Trace& trace) : program_(program), trace_(trace) {}

  std::vector<PathStep> run() {
    const auto last = std::max_element(trace_.end_ps.begin(), trace_.end_ps.end());
    if (last == trace_.end_ps.end()) return {};
    at_ = *last;
    Cause next{static_cast<std::uint32_t>(last - trace_.end_ps.begin()), false};
    while (next.op != kNobody) next = before_lane_came_to(before(next));
    std::reverse(steps_.begin(), steps_.end());
    return std::move(steps_);
  }

 private:
  // Goes from the event `event` of an op back to the start of the op whose start it all hangs on, and returns that op.
  std::uint32_t before(const Cause& event) {
    const FlatOp& op = program_.ops[event.op];
    if (event.read_done) return before_end_of_use(first_use(op.first_transfer));
    if (op.action == Action::kWait) return event.op;
    for (std::uint32_t part = 0; part < op.num_transfers; ++part) {
      const std::uint32_t use = trace_.last_use[op.first_transfer + part];
      if (arrival_ps(use) == at_ && at_ != own_end_ps(event.op)) return before_arrival(use);
    }
    if (op.action == Action::kWork && at_ != trace_.start_ps[event.op] + op.amount)
      return before_memory_served(event.op);
    step(op.action == Action::kSignal ? Blame::kCredit : Blame::kCompute, event.op, -1, trace_.start_ps[event.op]);
    return event.op;
  }

  // When what the op does itself is done.
  std::int64_t own_end_ps(std::uint32_t op) const {
    const FlatOp& flat = program_.ops[op];
    return std::max(trace_.start_ps[op] + flat.amount, memory_start_ps(op) + flat.memory_ps);
  }
  std::int64_t memory_start_ps(std::uint32_t op) const {
    const bool is_shared = !trace_.memory_start_ps.empty() && program_.ops[op].memory_ps > 0;
    return is_shared ? trace_.memory_start_ps[op] : trace_.start_ps[op];
  }

  // The memory has served the op, perhaps after others.
  std::uint32_t before_memory_served(std::uint32_t op) {
    for (;;) {
      step(Blame::kCompute, op, -1, memory_start_ps(op));
      if (trace_.memory_behind.empty() || trace_.memory_behind[op] == kNobody) return op;
      op = trace_.memory_behind[op];
    }
  }

  std::uint32_t first_use(std::uint32_t transfer) const {
    std::uint32_t use = trace_.last_use[transfer];
    while (trace_.uses[use].previous_hop != kNobody) use = trace_.uses[use].previous_hop;
    return use;
  }
  std::int64_t latency_after(std::uint32_t use) const {
    const FlatTransfer& transfer = program_.transfers[trace_.uses[use].transfer];
    for (std::uint32_t hop = 0; hop < transfer.num_hops; ++hop)
      if (const KeptHop& kept = program_.routes.hops[transfer.first_hop + hop]; kept.link == trace_.uses[use].link)
        return program_.routes.latency_ps(kept);
    return 0;
  }
  std::int64_t arrival_ps(std::uint32_t use) const { return trace_.uses[use].end_ps + latency_after(use); }
  std::uint32_t op_of(std::uint32_t use) const { return program_.transfers[trace_.uses[use].transfer].op; }

  std::uint32_t before_arrival(std::uint32_t use) {
    step(Blame::kLatency, op_of(use), -1, trace_.uses[use].end_ps);
    return before_end_of_use(use);
  }

  // Bytes that end on a link were held up by the link itself, or came late from the one before.
  std::uint32_t before_end_of_use(std::uint32_t number) {
    for (;;) {
      const Use& use = trace_.uses[number];
      const FlatTransfer& transfer = program_.transfers[use.transfer];
      const std::int64_t own_ps = transfer.link_ps[program_.level[static_cast<std::size_t>(use.link)]];
      if (use.previous_hop != kNobody && use.end_ps > use.start_ps + own_ps) {
        step(Blame::kLatency, transfer.op, -1, trace_.uses[use.previous_hop].end_ps);
        number = use.previous_hop;
        continue;
      }
      step(Blame::kLink, transfer.op, use.link, use.start_ps);
      if (use.queued_behind == kNobody) return before_head_came(number);
      number = use.queued_behind;
    }
  }

  // The head of the bytes came at `at_` and did not have to queue.
  std::uint32_t before_head_came(std::uint32_t number) {
    for (;;) {
      const Use& use = trace_.uses[number];
      if (use.previous_hop == kNobody) return op_of(number);
      const Use& previous = trace_.uses[use.previous_hop];
      if (program_.store_and_forward) return before_arrival(use.previous_hop);
      step(Blame::kLatency, op_of(number), -1, previous.start_ps);
      if (previous.queued_behind != kNobody) return before_end_of_use(previous.queued_behind);
      number = use.previous_hop;
    }
  }

  // The event that let the lane of `op` come to it at `at_`; no op if that was the start of the run.
  Cause before_lane_came_to(std::uint32_t op) const {
    if (!trace_.behind.empty() && trace_.behind[op] != kNobody) return {trace_.behind[op], false};
    const std::uint32_t first = program_.lanes[program_.ops[op].lane].first;
    // A wait at the end of the path is its own reason.
    if (program_.ops[op].action == Action::kWait && held_until_now(op)) return trace_.causes[op];
    while (op-- > first) {
      const Action action = program_.ops[op].action;
      if (action == Action::kWait && held_until_now(op)) return trace_.causes[op];
      if (action == Action::kWork && trace_.end_ps[op] > trace_.start_ps[op]) return {op, false};
    }
    assert(at_ == 0);
    return {};
  }

  bool held_until_now(std::uint32_t wait) const {
    return trace_.causes[wait].op != kNobody && trace_.end_ps[wait] == at_ && trace_.start_ps[wait] < at_;
  }

  // The time from `start_ps` until now.
  void step(Blame blame, std::uint32_t op, std::int32_t link, std::int64_t start_ps) {
    if (start_ps < at_) steps_.push_back({blame, static_cast<std::int32_t>(op), link, start_ps, at_});
    at_ = start_ps;
  }

  const FlatProgram& program_;
  const Trace& trace_;
  std::int64_t at_ = 0;
  std::vector<PathStep> steps_;  // from the last to the first
};

}  // namespace

std::vector<PathStep> critical_path(const FlatProgram& program, const Trace& trace) {
  return Walk(program, trace).run();
}

}  // namespace meshmul::simulation
