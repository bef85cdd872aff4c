#include "host_loop.hpp"

#include <algorithm>

namespace meshmul::simulation {
namespace {

std::vector<std::uint32_t> one_op_at_a_time(const HostProgram& program) {
  const std::size_t cores = (program.ranks.size() + program.ranks_per_core - 1) / program.ranks_per_core;
  return std::vector<std::uint32_t>(cores, 1);
}

}  // namespace

HostLoop::HostLoop(const HostProgram& program)
    : program_(program),
      trace_{std::vector<std::int64_t>(program.ops.size()), std::vector<std::int64_t>(program.ops.size()),
             std::vector<std::int64_t>(program.ops.size()), std::vector<std::uint32_t>(program.ops.size(), kNobody)},
      words_(program.num_words, program.lanes.size()),
      cores_(one_op_at_a_time(program)),
      ranks_(program.ranks.size()),
      waits_(program.lanes.size()) {
  for (const HostRange& lane : program.lanes) next_op_.push_back(lane.first);
}

void HostLoop::run() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) at(0, rank);
  while (!times_.empty()) {
    const auto [time_ps, rank] = times_.top();
    times_.pop();
    now_ = time_ps;
    if (ranks_[rank].op != kNobody) end(ranks_[rank].op);
    step(rank);
  }
}

// Goes on with the lane whose turn it is; with the next ones as long as none can step. The rank idles when none could
// from the first to the last.
void HostLoop::step(std::uint32_t number) {
  Rank& rank = ranks_[number];
  const HostRange& lanes = program_.ranks[number];
  for (;;) {
    if (lanes.first + rank.turn == lanes.end) {
      if (!rank.moved) break;
      rank.turn = 0;
      rank.moved = false;
    }
    if (lanes.first == lanes.end) break;
    const std::uint32_t lane = lanes.first + rank.turn;
    if (can_step(lane)) return take(next_op_[lane]);
    ++rank.turn;
  }
  rank.turn = 0;
  rank.idle = true;
  rank.idle_since_ps = now_;
}

// A lane whose wait does not pass is told when it does.
bool HostLoop::can_step(std::uint32_t lane) {
  const std::uint32_t number = next_op_[lane];
  if (number == program_.lanes[lane].end) return false;
  const HostOp& op = program_.ops[number];
  if (op.awaited == kNobody || words_.value(op.awaited) >= op.threshold) return true;
  if (!waits_[lane]) words_.wait(op.awaited, op.threshold, lane);
  waits_[lane] = true;
  return false;
}

// As soon as a core is free.
void HostLoop::take(std::uint32_t op) {
  const std::uint32_t rank = program_.rank_of_lane[program_.ops[op].lane];
  ranks_[rank].op = op;
  trace_.before[op] = ranks_[rank].before;
  if (cores_.take(core(rank), op)) begin(op);
}

void HostLoop::begin(std::uint32_t number) {
  const HostOp& op = program_.ops[number];
  trace_.start_ps[number] = now_;
  at(now_ + op.duration_ps, program_.rank_of_lane[op.lane]);
}

void HostLoop::end(std::uint32_t number) {
  const HostOp& op = program_.ops[number];
  const std::uint32_t rank_number = program_.rank_of_lane[op.lane];
  Rank& rank = ranks_[rank_number];
  trace_.end_ps[number] = now_;
  ++num_done_;
  if (++next_op_[op.lane] < program_.lanes[op.lane].end) trace_.arrived_ps[number + 1] = now_;
  rank.op = kNobody;
  rank.before = number;
  rank.moved = true;
  if (op.is_product) ++rank.turn;
  for (const std::uint32_t word : op.raises)
    if (word != kNobody) raise(word, number);
  const std::uint32_t next = cores_.release(core(rank_number));
  if (next == kNobody) return;
  trace_.before[next] = number;
  begin(next);
}

void HostLoop::raise(std::uint32_t word, std::uint32_t op) {
  words_.raise(word, static_cast<std::uint32_t>(words_.value(word)), [&](std::uint32_t lane) { wake(lane, op); });
}

// The wait of the lane passes, since `op` is done. Its rank notices if it has nothing else to do.
void HostLoop::wake(std::uint32_t lane, std::uint32_t op) {
  waits_[lane] = false;
  const std::uint32_t number = program_.rank_of_lane[lane];
  Rank& rank = ranks_[number];
  if (!rank.idle) return;
  rank.idle = false;
  rank.moved = false;
  rank.before = op;
  const bool sleeps = now_ - rank.idle_since_ps > program_.sleep_after_ps;
  at(now_ + (sleeps ? program_.wake_ps : program_.notice_ps), number);
}

}  // namespace meshmul::simulation
