#include "event_loop.hpp"

#include <algorithm>
#include <utility>

namespace meshmul::simulation {

EventLoop::EventLoop(const FlatProgram& program, Trace* trace)
    : program_(program),
      trace_(trace),
      words_(program.num_words, program.lanes.size()),
      units_(program.unit_capacities),
      parts_left_(program.ops.size()),
      link_free_ps_(program.level.size()),
      tail_ps_(program.transfers.size()),
      memory_free_ps_(program.num_memories),
      last_served_(program.num_memories, kNobody) {
  for (const FlatLane& lane : program.lanes) next_op_.push_back(lane.first);
  if (trace == nullptr) return;
  trace->start_ps.resize(program.ops.size());
  trace->end_ps.resize(program.ops.size());
  trace->causes.resize(program.ops.size());
  trace->uses.reserve(program.num_hops);
  trace->last_use.resize(program.transfers.size(), kNobody);
  trace->behind.resize(program.unit_capacities.empty() ? 0 : program.ops.size(), kNobody);
  trace->memory_start_ps.resize(program.num_memories == 0 ? 0 : program.ops.size());
  trace->memory_behind.resize(program.num_memories == 0 ? 0 : program.ops.size(), kNobody);
  last_use_.resize(program.level.size(), kNobody);
}

void EventLoop::run() {
  for (std::uint32_t lane = 0; lane < program_.lanes.size(); ++lane) ready_.push_back(lane);
  settle();
  while (queue_.advance()) {
    now_ = queue_.now_ps();
    while (queue_.has_now()) handle(queue_.take());
    settle();
  }
}

// Lets all lanes step that can, in the order of their ops.
void EventLoop::settle() {
  while (!ready_.empty()) {
    batch_.swap(ready_);
    ready_.clear();
    std::sort(batch_.begin(), batch_.end());
    for (const std::uint32_t lane : batch_) advance(lane);
  }
}

void EventLoop::advance(std::uint32_t lane) {
  std::uint32_t& op = next_op_[lane];
  for (; op < program_.lanes[lane].end; ++op)
    if (!start(op)) return;
  ++num_finished_lanes_;
}

// Whether the lane may go on at once.
bool EventLoop::start(std::uint32_t op) {
  ++num_events_;
  const Action action = program_.ops[op].action;
  if (action == Action::kWait) return start_wait(op);
  if (program_.ops[op].unit != FlatOp::kNoUnit) return start_on_unit(op);
  if (trace_ != nullptr) trace_->start_ps[op] = now_;
  if (action == Action::kWork) return begin_work(op);
  action == Action::kTransfer ? take_link(program_.ops[op].first_transfer, 0) : start_signal(op);
  return true;
}

// What works always takes an event here, so that its lane goes on in one place.
bool EventLoop::start_on_unit(std::uint32_t op) {
  if (units_.take(program_.ops[op].unit, op)) begin(op);
  return program_.ops[op].action == Action::kTransfer;
}

// It has its unit.
void EventLoop::begin(std::uint32_t op) {
  if (trace_ != nullptr) trace_->start_ps[op] = now_;
  if (program_.ops[op].action == Action::kTransfer) return take_link(program_.ops[op].first_transfer, 0);
  begin_work(op);
}

bool EventLoop::start_wait(std::uint32_t op) {
  const FlatOp& wait = program_.ops[op];
  const auto threshold = static_cast<std::uint64_t>(wait.amount);
  const bool comes_back = trace_ != nullptr && trace_->causes[op].op != kNobody;
  if (trace_ != nullptr && !comes_back) trace_->start_ps[op] = now_;
  if (words_.value(wait.done.word) < threshold) {
    words_.wait(wait.done.word, threshold, wait.lane);
    return false;
  }
  if (trace_ != nullptr) trace_->end_ps[op] = now_;
  makespan_ps_ = std::max(makespan_ps_, now_);
  return true;
}

// Whether it was done at once.
bool EventLoop::begin_work(std::uint32_t op) {
  const FlatOp& work = program_.ops[op];
  if (work.amount == 0 && work.memory_ps == 0 && work.num_transfers == 0 && work.unit == FlatOp::kNoUnit) {
    end(op);
    return true;
  }
  parts_left_[op] = static_cast<std::uint8_t>(work.num_transfers + 1);
  for (std::uint32_t part = 0; part < work.num_transfers; ++part) take_link(work.first_transfer + part, 0);
  const std::int64_t memory_end_ps = memory_free_ps_.empty() ? now_ + work.memory_ps : serve_memory(op);
  queue_.push({std::max(now_ + work.amount, memory_end_ps), op, EventKind::kDone});
  return false;
}

// Returns when the memory has served the op, which it does after those that came before.
std::int64_t EventLoop::serve_memory(std::uint32_t op) {
  const FlatOp& work = program_.ops[op];
  if (work.memory_ps == 0) return now_;
  const std::uint32_t memory = program_.lanes[work.lane].memory;
  const std::int64_t start_ps = std::max(now_, memory_free_ps_[memory]);
  memory_free_ps_[memory] = start_ps + work.memory_ps;
  if (trace_ != nullptr) {
    trace_->memory_start_ps[op] = start_ps;
    if (start_ps > now_) trace_->memory_behind[op] = last_served_[memory];
    last_served_[memory] = op;
  }
  return start_ps + work.memory_ps;
}

void EventLoop::start_signal(std::uint32_t op) {
  const FlatOp& signal = program_.ops[op];
  if (signal.amount == 0)
    end(op);
  else
    queue_.push({now_ + signal.amount, op, EventKind::kDone});
}

// The transfers of one time are spread over the whole program, so that memory would be waited for at each of them.
void EventLoop::prefetch() const {
  constexpr std::size_t kFar = 12;
  constexpr std::size_t kNear = 6;
  if (const Event* far = queue_.ahead(kFar); far != nullptr && far->kind() == EventKind::kHead) {
    __builtin_prefetch(&program_.transfers[transfer_of(*far)]);
    __builtin_prefetch(&tail_ps_[transfer_of(*far)]);
  }
  if (const Event* near = queue_.ahead(kNear); near != nullptr && near->kind() == EventKind::kHead)
    __builtin_prefetch(&program_.routes.hops[program_.transfers[transfer_of(*near)].first_hop + near->hop()]);
}

void EventLoop::handle(const Event& event) {
  ++num_events_;
  switch (event.kind()) {
    case EventKind::kHead: prefetch(); return take_link(transfer_of(event), event.hop());
    case EventKind::kSent: return raise(program_.ops[event.op()].read_done, event.op(), true);
    case EventKind::kArrived:
    case EventKind::kDone: return end_part(event.op());
  }
}

// The head of transfer `number` is here; its tail follows as fast as this link and those before let it.
void EventLoop::take_link(std::uint32_t number, std::uint32_t hop) {
  const FlatTransfer& transfer = program_.transfers[number];
  const KeptHop& here = program_.routes.hops[transfer.first_hop + hop];
  const std::int64_t latency_ps = program_.routes.latency_ps(here);
  std::int64_t& free_ps = link_free_ps_[static_cast<std::size_t>(here.link)];
  const std::int64_t start_ps = std::max(now_, free_ps);
  const std::int64_t own_end_ps = start_ps + transfer.link_ps[program_.level[static_cast<std::size_t>(here.link)]];
  const std::int64_t end_ps = std::max(own_end_ps, tail_ps_[number]);
  if (trace_ != nullptr) note_use({here.link, number, start_ps, end_ps});
  free_ps = end_ps;
  tail_ps_[number] = end_ps + latency_ps;
  if (hop == 0) note_sent(transfer.op, end_ps);
  if (hop + 1 == transfer.num_hops)
    queue_.push({tail_ps_[number], transfer.op, EventKind::kArrived, transfer.part});
  else
    queue_.push({program_.store_and_forward ? tail_ps_[number] : start_ps + latency_ps, transfer.op, EventKind::kHead,
                 transfer.part, hop + 1});
}

// The bytes of `op`, if it is a put, have left its rank at `end_ps`.
void EventLoop::note_sent(std::uint32_t op, std::int64_t end_ps) {
  const FlatOp& flat = program_.ops[op];
  if (flat.read_done.word != Increment::kNone && !flat.read_at_end) queue_.push({end_ps, op, EventKind::kSent});
}

void EventLoop::end_part(std::uint32_t op) {
  const FlatOp& flat = program_.ops[op];
  if (flat.action != Action::kWork) return end(op);
  if (--parts_left_[op] > 0) return;
  end(op);
  ++next_op_[flat.lane];
  ready_.push_back(flat.lane);
}

void EventLoop::end(std::uint32_t op) {
  const FlatOp& flat = program_.ops[op];
  makespan_ps_ = std::max(makespan_ps_, now_);
  if (trace_ != nullptr) trace_->end_ps[op] = now_;
  if (flat.read_at_end) raise(flat.read_done, op, false);
  raise(flat.done, op, false);
  if (flat.unit == FlatOp::kNoUnit) return;
  const std::uint32_t next = units_.release(flat.unit);
  if (next == kNobody) return;
  if (trace_ != nullptr) trace_->behind[next] = op;
  begin(next);
}

void EventLoop::raise(const Increment& increment, std::uint32_t op, bool read_done) {
  if (increment.word == Increment::kNone) return;
  words_.raise(increment.word, increment.ordinal, [&](std::uint32_t lane) {
    if (trace_ != nullptr) trace_->causes[next_op_[lane]] = {op, read_done};
    ready_.push_back(lane);
  });
}

// The transfer that had the link before is in the way if this one does not start at once.
void EventLoop::note_use(Use use) {
  const auto number = static_cast<std::uint32_t>(trace_->uses.size());
  std::uint32_t& last_of_link = last_use_[static_cast<std::size_t>(use.link)];
  std::uint32_t& last_of_transfer = trace_->last_use[use.transfer];
  if (use.start_ps > now_) use.queued_behind = last_of_link;
  use.previous_hop = last_of_transfer;
  last_of_link = last_of_transfer = number;
  trace_->uses.push_back(use);
}

}  // namespace meshmul::simulation
