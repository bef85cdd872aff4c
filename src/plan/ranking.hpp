#pragma once
// Keeps the best of many ways to do a statement: those that fit into memory, and those that would be faster if they
// did.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

namespace meshmul {

/// What a whole way costs.
struct Price {
  double move_seconds = 0;
  double product_seconds = 0;
  double sent_bytes = 0;
  double memory_bytes = 0;
  int num_moves = 0;

  double seconds_sequential() const { return move_seconds + product_seconds; }
  double seconds_overlapped() const { return std::max(move_seconds, product_seconds); }
};

/// Less is better: time (with `overlapped` that of perfect overlap first), bytes sent, memory, moves.
inline auto preference(const Price& price, bool overlapped) {
  const double seconds = overlapped ? price.seconds_overlapped() : price.seconds_sequential();
  return std::tuple(seconds, price.seconds_sequential(), price.sent_bytes, price.memory_bytes, price.num_moves);
}

/// `Way` has a `price`. Of two ways that cost the same the one added first is better.
template <class Way>
class Ranking {
 public:
  /// Keeps the best `capacity` (at least 1) of either kind. With `overlapped`, the time that counts first is
  /// seconds_overlapped.
  Ranking(std::size_t capacity, double memory_limit, bool overlapped)
      : capacity_(capacity), memory_limit_(memory_limit), overlapped_(overlapped) {}

  void add(const Way& way) {
    least_memory_bytes_ = std::min(least_memory_bytes_, way.price.memory_bytes);
    insert(way, way.price.memory_bytes <= memory_limit_ ? fitting_ : too_large_);
  }

  /// Best first.
  const std::vector<Way>& fitting() const { return fitting_; }
  const std::vector<Way>& too_large() const { return too_large_; }
  /// The least memory that any way takes.
  double least_memory_bytes() const { return least_memory_bytes_; }
  /// The best of both kinds without the best that fits, best first.
  std::vector<Way> rejected() const {
    std::vector<Way> ways(fitting_.begin() + (fitting_.empty() ? 0 : 1), fitting_.end());
    const auto middle = static_cast<std::ptrdiff_t>(ways.size());
    ways.insert(ways.end(), too_large_.begin(), too_large_.end());
    std::inplace_merge(ways.begin(), ways.begin() + middle, ways.end(),
                       [this](const Way& a, const Way& b) { return better(a, b); });
    return ways;
  }

 private:
  bool better(const Way& a, const Way& b) const {
    return preference(a.price, overlapped_) < preference(b.price, overlapped_);
  }

  void insert(const Way& way, std::vector<Way>& ways) {
    if (ways.size() == capacity_) {
      if (!better(way, ways.back())) return;
      ways.pop_back();
    }
    ways.insert(
        std::upper_bound(ways.begin(), ways.end(), way, [this](const Way& a, const Way& b) { return better(a, b); }),
        way);
  }

  std::size_t capacity_;
  double memory_limit_;
  bool overlapped_;
  std::vector<Way> fitting_, too_large_;
  double least_memory_bytes_ = std::numeric_limits<double>::infinity();
};

}  // namespace meshmul
