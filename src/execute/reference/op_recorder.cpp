#include "op_recorder.hpp"

#include "../cpu/measured_timeline.hpp"
#include "../cpu/now.hpp"

namespace meshmul {

OpRecorder::OpRecorder(const Schedule& schedule) : schedule_(schedule) {
  for (const RankProgram& program : schedule.ranks) {
    std::vector<LaneTimes>& lanes = lanes_.emplace_back();
    for (const Lane& lane : program.lanes) lanes.push_back({std::vector<OpTimes>(lane.ops.size()), 0});
  }
}

void OpRecorder::begin_run() {
  const std::int64_t now = now_nanoseconds();
  for (std::vector<LaneTimes>& lanes : lanes_)
    for (LaneTimes& lane : lanes) lane.arrived_nanoseconds = now;
}

void OpRecorder::before(const Choice& choice, const Machine& machine) {
  is_piece_ = choice.kind == Choice::Kind::kPiece;
  current_ = is_piece_ ? machine.transfers()[static_cast<std::size_t>(choice.transfer)].op
                       : OpPlace{choice.rank, choice.lane, machine.position(choice.rank, choice.lane)};
  if (is_piece_) return;
  const std::vector<Op>& ops =
      schedule_.ranks[static_cast<std::size_t>(current_.rank)].lanes[static_cast<std::size_t>(current_.lane)].ops;
  const auto op = static_cast<std::size_t>(current_.op);
  lane(current_).ops[op].began_nanoseconds =
      std::holds_alternative<Wait>(ops[op]) ? lane(current_).arrived_nanoseconds : now_nanoseconds();
}

void OpRecorder::after() {
  const std::int64_t now = now_nanoseconds();
  lane(current_).ops[static_cast<std::size_t>(current_.op)].ended_nanoseconds = now;
  if (!is_piece_) lane(current_).arrived_nanoseconds = now;
}

Timeline OpRecorder::timeline() const {
  std::vector<std::vector<OpTimes>> times;
  for (const std::vector<LaneTimes>& lanes : lanes_) {
    std::vector<OpTimes>& of_rank = times.emplace_back();
    for (const LaneTimes& lane : lanes) of_rank.insert(of_rank.end(), lane.ops.begin(), lane.ops.end());
  }
  return measured_timeline(schedule_, [&](int rank) { return std::span(times[static_cast<std::size_t>(rank)]); });
}

}  // namespace meshmul
