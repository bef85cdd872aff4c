// The memory of a schedule: no more than it may take. If it takes more, the slots that nothing touches are named too.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "rules.hpp"
#include "schedule/effect_table.hpp"
#include "words.hpp"

namespace meshmul {
namespace verification {
namespace {

// The smallest box of each buffer that holds whatever is touched, at any rank.
class Touched {
 public:
  explicit Touched(const Schedule& schedule) : schedule_(schedule), boxes_(schedule.buffers.size()) {
    for (std::size_t b = 0; b < boxes_.size(); ++b)
      if (is_open(b)) ++num_open_;
  }

  const std::optional<Box>& box(std::size_t buffer) const { return boxes_[buffer]; }
  /// True while some buffer with elements has a part that was not touched.
  bool has_open() const { return num_open_ > 0; }
  bool is_open(std::size_t buffer) const {
    const Box whole = Box::whole(schedule_.buffers[buffer].shape);
    return !whole.empty() && boxes_[buffer] != whole;
  }

  void add(const Region& region) {
    const auto b = static_cast<std::size_t>(region.buffer);
    if (region.box.empty() || !is_open(b)) return;
    std::optional<Box>& box = boxes_[b];
    if (!box) box = region.box;
    for (int d = 0; d < region.box.num_dims(); ++d)
      (*box)[d] = {std::min((*box)[d].begin, region.box[d].begin), std::max((*box)[d].end, region.box[d].end)};
    if (!is_open(b)) --num_open_;
  }
  void reads(const Region& region) { add(region); }
  void writes(const Region& region) { add(region); }
  void raises(const Raise&) {}
  void waits(const Wait&) {}

 private:
  const Schedule& schedule_;
  std::vector<std::optional<Box>> boxes_;  // by buffer
  std::size_t num_open_ = 0;
};

Touched touched_by(const Schedule& schedule) {
  Touched touched(schedule);
  for (const auto* holdings : {&schedule.contract.inputs, &schedule.contract.outputs})
    for (const Holding& holding : *holdings) touched.add(holding.region);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        if (!touched.has_open()) return touched;
        walk_effects(op, rank, touched);
      }
  return touched;
}

std::string sentence_of_limit(const Schedule& schedule, std::int64_t bytes_per_rank) {
  std::string buffers;
  for (const BufferDecl& buffer : schedule.buffers)
    buffers += fmt::format("{}{} {}", buffers.empty() ? "" : ", ", buffer.name, buffer.num_bytes());
  return fmt::format("the buffers of a rank take {} bytes ({}); expected at most {}", meshmul::bytes_per_rank(schedule),
                     buffers, bytes_per_rank);
}

}  // namespace

std::vector<Finding> check_memory(const Schedule& schedule, std::optional<std::int64_t> bytes_per_rank) {
  if (!bytes_per_rank || meshmul::bytes_per_rank(schedule) <= *bytes_per_rank) return {};
  std::vector<Finding> findings{{Rule::kMemory, std::nullopt, sentence_of_limit(schedule, *bytes_per_rank)}};
  for (const std::string& sentence : unused_memory(schedule))
    findings.push_back({Rule::kMemory, std::nullopt, sentence});
  return findings;
}

}  // namespace verification

std::vector<std::string> unused_memory(const Schedule& schedule) {
  std::vector<std::string> sentences;
  const verification::Touched touched = verification::touched_by(schedule);
  for (std::size_t b = 0; b < schedule.buffers.size(); ++b) {
    if (!touched.is_open(b)) continue;
    const BufferDecl& buffer = schedule.buffers[b];
    sentences.push_back(touched.box(b)
                            ? fmt::format("buffer {} has the shape {}, of which no rank touches more than {}",
                                          buffer.name, verification::shape_text(buffer.shape), touched.box(b)->str())
                            : fmt::format("no rank touches buffer {}", buffer.name));
  }
  return sentences;
}

}  // namespace meshmul
