#include "box_index.hpp"

#include <bit>

namespace meshmul {

void BoxIndex::add(int number, const Box& box) {
  if (boxes_.size() - unused_.size() >= choose_at_) choose_dimension();
  if (unused_.empty()) {
    boxes_.push_back({number, box});
    insert(boxes_.size() - 1);
  } else {
    const std::size_t place = unused_.back();
    unused_.pop_back();
    boxes_[place] = {number, box};
    insert(place);
  }
}

void BoxIndex::cut_out(const Box& box) {
  const Interval cut = along(box);
  std::vector<std::size_t> shorter;
  // True if the entry has to go: nothing is left of its box, or what is left has its place elsewhere.
  const auto is_cut = [&](const Entry& entry) {
    if (entry.end <= cut.begin || !overlap(at(entry).box, box)) return false;
    const std::vector<Box> rest = subtract(at(entry).box, box);
    if (rest.size() > 1) return false;
    (rest.empty() ? unused_ : shorter).push_back(entry.place);
    if (!rest.empty()) boxes_[entry.place].box = rest.front();
    return true;
  };
  for (SizeClass& of_size : sizes_) {
    const auto first = of_size.by_begin.begin() + (first_near(of_size, cut) - of_size.by_begin.cbegin());
    const auto last = std::find_if(first, of_size.by_begin.end(), [&](const Entry& e) { return e.begin >= cut.end; });
    of_size.by_begin.erase(std::remove_if(first, last, is_cut), last);
  }
  for (const std::size_t place : shorter) insert(place);
}

std::vector<BoxIndex::Entry>& BoxIndex::entries_of_size(std::int64_t size) {
  const auto max_size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(size)));
  const auto found =
      std::find_if(sizes_.begin(), sizes_.end(), [&](const SizeClass& s) { return s.max_size == max_size; });
  return found != sizes_.end() ? found->by_begin : sizes_.emplace_back(SizeClass{max_size, {}}).by_begin;
}

void BoxIndex::insert(std::size_t place) {
  const Interval interval = along(boxes_[place].box);
  std::vector<Entry>& entries = entries_of_size(interval.size());
  const auto next = std::upper_bound(entries.begin(), entries.end(), interval.begin,
                                     [](std::int64_t begin, const Entry& entry) { return begin < entry.begin; });
  entries.insert(next, {interval.begin, interval.end, place});
}

// Takes the dimension in which the boxes begin at the most places, and sorts all anew if it is another one.
void BoxIndex::choose_dimension() {
  choose_at_ *= 2;
  int best = dim_;
  for (int d = 0; d < boxes_.front().box.num_dims(); ++d)
    if (count_begins(d) > count_begins(best)) best = d;
  if (best == dim_) return;
  dim_ = best;
  std::vector<std::size_t> places;
  for (const SizeClass& of_size : sizes_)
    for (const Entry& entry : of_size.by_begin) places.push_back(entry.place);
  sizes_.clear();
  for (const std::size_t place : places) insert(place);
}

std::size_t BoxIndex::count_begins(int dim) const {
  std::vector<std::int64_t> begins;
  for (const SizeClass& of_size : sizes_)
    for (const Entry& entry : of_size.by_begin) begins.push_back(at(entry).box[dim].begin);
  std::sort(begins.begin(), begins.end());
  return static_cast<std::size_t>(std::unique(begins.begin(), begins.end()) - begins.begin());
}

}  // namespace meshmul
