#pragma once
// Puts intervals of time on as few rows as need be, so that no two overlap on one row.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshmul::drawing {

class Slots {
 public:
  /// The first row that is free at `start`; a new one if none is. Intervals come in the order of their starts.
  std::size_t take(std::int64_t start, std::int64_t end) {
    std::size_t slot = 0;
    while (slot < free_at_.size() && free_at_[slot] > start) ++slot;
    if (slot == free_at_.size()) free_at_.push_back(0);
    free_at_[slot] = end;
    return slot;
  }

 private:
  std::vector<std::int64_t> free_at_;
};

}  // namespace meshmul::drawing
