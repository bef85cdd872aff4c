#include "access_history.hpp"

#include <algorithm>

namespace meshmul::verification {

std::optional<Access> AccessHistory::add(const Access& access, const LaneClocks& clocks) {
  std::optional<Access> race;
  std::size_t first = 0;
  std::size_t last = parts_.size();
  if (dim_ >= 0) {
    first = cut((*access.box)[dim_].begin);
    last = cut((*access.box)[dim_].end);
  }
  for (std::size_t i = first; i < last; ++i)
    access.is_write ? add_write(parts_[i], access, clocks, race) : add_read(parts_[i], access, clocks, race);
  if (access.is_write) join(first, last);
  return race;
}

std::size_t AccessHistory::cut(std::int64_t begin) {
  const auto found = std::lower_bound(begins_.begin(), begins_.end(), begin);
  const std::ptrdiff_t index = found - begins_.begin();
  if (found == begins_.end() || *found != begin) {
    Part half = parts_[static_cast<std::size_t>(index) - 1];
    parts_.insert(parts_.begin() + index, std::move(half));
    begins_.insert(found, begin);
  }
  return static_cast<std::size_t>(index);
}

bool AccessHistory::overlap_beside(const Box& a, const Box& b) const {
  for (int d = 0; d < a.num_dims(); ++d)
    if (d != dim_ && intersect(a[d], b[d]).empty()) return false;
  return true;
}

bool AccessHistory::contains_beside(const Box& outer, const Box& inner) const {
  for (int d = 0; d < outer.num_dims(); ++d)
    if (d != dim_ && (inner[d].begin < outer[d].begin || inner[d].end > outer[d].end)) return false;
  return true;
}

void AccessHistory::meet(std::vector<Access>& earlier, const Access& access, const LaneClocks& clocks,
                         std::optional<Access>& race, bool may_race, bool may_drop) const {
  for (std::size_t i = 0; i < earlier.size();) {
    const Access& other = earlier[i];
    const bool over = is_over(other, LaneKnowledge{clocks, access.lane});
    if (may_race && !over && !race && overlap_beside(*other.box, *access.box)) race = other;
    if (may_drop && over && contains_beside(*access.box, *other.box)) {
      earlier[i] = earlier.back();
      earlier.pop_back();
    } else {
      ++i;
    }
  }
}

void AccessHistory::add_write(Part& part, const Access& access, const LaneClocks& clocks,
                              std::optional<Access>& race) const {
  meet(part.writes, access, clocks, race, true, true);
  meet(part.reads, access, clocks, race, true, true);
  part.writes.push_back(access);
  part.reads_kept = part.reads.size();
}

void AccessHistory::add_read(Part& part, const Access& access, const LaneClocks& clocks,
                             std::optional<Access>& race) const {
  meet(part.writes, access, clocks, race, true, false);
  // Reads do not race with reads. They are looked through when there are twice as many as there were, so that many
  // readers of one part cost no more than a few looks at each.
  constexpr std::size_t kFew = 8;
  if (part.reads.size() >= 2 * part.reads_kept + kFew) {
    meet(part.reads, access, clocks, race, false, true);
    part.reads_kept = part.reads.size();
  }
  part.reads.push_back(access);
}

void AccessHistory::join(std::size_t first, std::size_t last) {
  const auto is_alone = [](const Part& part) { return part.writes.size() == 1 && part.reads.empty(); };
  const auto from = static_cast<std::ptrdiff_t>(first) + 1;
  const auto to = static_cast<std::ptrdiff_t>(last);
  if (from >= to || !std::all_of(parts_.begin() + from - 1, parts_.begin() + to, is_alone)) return;
  parts_.erase(parts_.begin() + from, parts_.begin() + to);
  begins_.erase(begins_.begin() + from, begins_.begin() + to);
}

}  // namespace meshmul::verification
