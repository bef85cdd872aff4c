#include "access_log.hpp"

#include <algorithm>
#include <iterator>

namespace meshmul {

// A scalar is one element. Until there are two accesses apart, all are near.
Interval AccessLog::Accesses::along(const Box& box) const { return dim_ ? box[*dim_] : Interval{0, 1}; }

AccessLog::Accesses::Sorted::const_iterator AccessLog::Accesses::first_near(const Box& box) const {
  return by_begin_.upper_bound(along(box).begin - longest_);
}

template <class Visit>
void AccessLog::Accesses::visit_overlapping(const Box& box, const Visit& visit) const {
  const std::int64_t end = along(box).end;
  for (auto entry = first_near(box); entry != by_begin_.end() && entry->first < end; ++entry)
    if (overlap(entry->second.box, box)) visit(entry->second);
}

void AccessLog::Accesses::erase_inside(const Box& box) {
  const std::int64_t end = along(box).end;
  for (auto entry = first_near(box); entry != by_begin_.end() && entry->first < end;)
    entry = box.contains(entry->second.box) ? by_begin_.erase(entry) : std::next(entry);
}

void AccessLog::Accesses::add(const Access& access) {
  if (!dim_ && !by_begin_.empty()) choose_dimension(access.box);
  longest_ = std::max(longest_, along(access.box).size());
  by_begin_.emplace(along(access.box).begin, access);
}

void AccessLog::Accesses::choose_dimension(const Box& box) {
  const Box& other = by_begin_.begin()->second.box;
  for (int dim = 0; dim < box.num_dims() && !dim_; ++dim)
    if (intersect(box[dim], other[dim]).empty()) dim_ = dim;
  if (!dim_) return;
  for (const auto& [begin, access] : std::exchange(by_begin_, {})) add(access);
}

std::vector<Need> AccessLog::add(int step, const Effects& effects) {
  std::vector<Need> needs;
  const auto collect = [&](const Accesses& accesses, const Region& region, Event event) {
    accesses.visit_overlapping(region.box,
                               [&](const Access& earlier) { needs.push_back({earlier.step, event, region.buffer}); });
  };
  for (const Region& region : effects.reads) collect(touched(region).writes, region, Event::kWriteVisible);
  for (const Region& region : effects.writes) {
    collect(touched(region).writes, region, Event::kWriteVisible);
    collect(touched(region).reads, region, Event::kReadDone);
  }

  for (const Region& region : effects.reads) touched(region).reads.add({step, region.box});
  for (const Region& region : effects.writes) {
    Touched& place = touched(region);
    place.reads.erase_inside(region.box);
    place.writes.erase_inside(region.box);
    place.writes.add({step, region.box});
  }

  // Of two needs of one step the stronger comes first and stays.
  std::stable_sort(needs.begin(), needs.end(),
                   [](const Need& a, const Need& b) { return a.step != b.step ? a.step > b.step : a.event > b.event; });
  needs.erase(std::unique(needs.begin(), needs.end(), [](const Need& a, const Need& b) { return a.step == b.step; }),
              needs.end());
  return needs;
}

}  // namespace meshmul
