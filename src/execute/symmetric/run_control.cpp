#include "run_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace meshmul {
namespace {

Schedule one_lane_each(const Mesh& mesh) {
  Schedule schedule;
  schedule.contract.mesh = mesh;
  schedule.ranks.assign(static_cast<std::size_t>(mesh.num_devices()), RankProgram{{Lane{"function", {}}}});
  return schedule;
}

}  // namespace

RunControl::RunControl(const Mesh& mesh)
    : schedule_(one_lane_each(mesh)),
      layout_(lay_out(schedule_)),
      mapping_(MemoryMapping::anonymous(layout_.num_bytes)),
      memory_(mapping_.data(), layout_) {
  memory_.construct(SignalWords(schedule_));
  for (int rank = 0; rank < memory_.num_ranks(); ++rank) standings_.emplace_back();
}

void RunControl::begin_operation(int rank) {
  if (is_stopped()) throw RunStopped{};
  LanePosition& position = memory_.positions(rank)[0];
  position.store(position.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void RunControl::write(HeapWord& word, int owner, std::uint64_t value) const {
  word.value.store(word.base + value);
  memory_.rank(owner).doorbell.ring();
}

void RunControl::note_wait(int rank, const SignalWait& wait) {
  Standing& at = standing(rank);
  at.signal.store(wait.signal);
  at.value.store(wait.value);
  at.waits.store(true);
}

std::uint32_t RunControl::operations(int rank) const { return memory_.positions(rank)[0].load(); }

std::string RunControl::whereabouts(int rank) const {
  const std::uint32_t count = operations(rank);
  return fmt::format("in its function, after {} operation{}", count, count == 1 ? "" : "s");
}

const HeapWord& RunControl::awaited(int rank) const {
  return standing(rank).signal.load()->words[static_cast<std::size_t>(rank)];
}

std::string RunControl::describe_stall() const {
  for (int rank = 0; rank < memory_.num_ranks(); ++rank) {
    const Standing& at = standing(rank);
    if (at.ended.load() || (at.waits.load() && awaited(rank).seen() < at.value.load())) continue;
    return fmt::format("rank {} does not come back from its own code after operation {}", rank, operations(rank));
  }
  int rank = 0;
  while (rank + 1 < memory_.num_ranks() && standing(rank).ended.load()) ++rank;
  std::vector<int> named;
  std::string sentence;
  while (true) {
    const Standing& at = standing(rank);
    if (at.ended.load()) return sentence + fmt::format("rank {}, which has ended", rank);
    const std::string& name = at.signal.load()->name;
    sentence += fmt::format("rank {}, operation {}: wait {} >= {}, signal {}: expected {}, seen {}", rank,
                            operations(rank), name, at.value.load(), name, at.value.load(), awaited(rank).seen());
    named.push_back(rank);
    const std::int32_t writer = awaited(rank).writer.load();
    if (writer == HeapWord::kNobody) return sentence + "; no rank has raised it in this run";
    rank = writer_rank(writer);
    sentence += "; it is raised by ";
    if (std::ranges::find(named, rank) != named.end()) return sentence + fmt::format("rank {}: a cycle", rank);
  }
}

}  // namespace meshmul
