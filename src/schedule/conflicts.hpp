#pragma once
// Which ops have to keep their order.

#include <algorithm>

#include "schedule/effects.hpp"

namespace meshmul {

/// Whether two regions have an element in common.
inline bool overlap(const Region& a, const Region& b) {
  return a.rank == b.rank && a.buffer == b.buffer && overlap(a.box, b.box);
}

/// Whether a region has an element in common with one of `regions`.
inline bool overlaps_any(const Region& region, const std::vector<Region>& regions) {
  return std::ranges::any_of(regions, [&](const Region& other) { return overlap(region, other); });
}

/// Whether a region has all elements of another one.
inline bool covers(const Region& whole, const Region& part) {
  return whole.rank == part.rank && whole.buffer == part.buffer && whole.box.contains(part.box);
}

/// Whether one of two ops writes what the other one reads or writes.
inline bool conflict(const Effects& a, const Effects& b) {
  const auto meets = [](const std::vector<Region>& writes, const Effects& other) {
    return std::ranges::any_of(writes, [&](const Region& region) {
      return overlaps_any(region, other.reads) || overlaps_any(region, other.writes);
    });
  };
  return meets(a.writes, b) || meets(b.writes, a);
}

}  // namespace meshmul
