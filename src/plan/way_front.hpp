#pragma once
// Keeps those of many ways to do a statement of which no other is better in both time and memory.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <vector>

#include "plan/ranking.hpp"

namespace meshmul {

/// `Way` has a `price`. Of ways with the same time and memory the preferred one stays, then the one added first.
template <class Way>
class WayFront {
 public:
  /// With `overlapped`, the time that counts is seconds_overlapped.
  WayFront(double memory_limit, bool overlapped) : memory_limit_(memory_limit), overlapped_(overlapped) {}

  void add(const Way& way) {
    const Price& price = way.price;
    least_memory_bytes_ = std::min(least_memory_bytes_, price.memory_bytes);
    if (price.memory_bytes > memory_limit_) return;
    const auto slower = std::upper_bound(ways_.begin(), ways_.end(), seconds(price),
                                         [this](double time, const Way& other) { return time < seconds(other.price); });
    // Of those that are no slower, the last takes the least memory.
    if (slower != ways_.begin() && is_enough(std::prev(slower)->price, price)) return;
    const auto first = std::lower_bound(ways_.begin(), ways_.end(), seconds(price),
                                        [this](const Way& other, double time) { return seconds(other.price) < time; });
    const auto last =
        std::find_if(slower, ways_.end(), [&](const Way& o) { return o.price.memory_bytes < price.memory_bytes; });
    ways_.insert(ways_.erase(first, last), way);
  }

  /// The fastest first: each takes more time and less memory than the one before.
  const std::vector<Way>& ways() const { return ways_; }
  /// The least memory that any way takes, whether it fits or not.
  double least_memory_bytes() const { return least_memory_bytes_; }

 private:
  double seconds(const Price& price) const {
    return overlapped_ ? price.seconds_overlapped() : price.seconds_sequential();
  }

  /// Whether `kept`, which is no slower, makes `added` needless.
  bool is_enough(const Price& kept, const Price& added) const {
    if (kept.memory_bytes != added.memory_bytes) return kept.memory_bytes < added.memory_bytes;
    return seconds(kept) < seconds(added) || preference(kept, overlapped_) <= preference(added, overlapped_);
  }

  double memory_limit_;
  bool overlapped_;
  std::vector<Way> ways_;
  double least_memory_bytes_ = std::numeric_limits<double>::infinity();
};

}  // namespace meshmul
