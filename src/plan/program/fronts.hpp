#pragma once
// Lists of prices, in time and several kinds of memory, of which none is beaten by another.

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <vector>

namespace meshmul {

/// What a search is after.
enum class Aim {
  kFastest,          ///< the least time; of several the least memory
  kFastestThatFits,  ///< the same within a limit of memory
  kSmallest,         ///< the least memory; of several the least time
  kFront,            ///< whatever nothing beats in both
};

/// Compared one after the other.
struct TimeKey {
  double seconds = 0;  ///< that count: with overlap, or without
  double seconds_sequential = 0;
  double sent_bytes = 0;

  TimeKey plus(const TimeKey& other, double times = 1) const {
    return {seconds + times * other.seconds, seconds_sequential + times * other.seconds_sequential,
            sent_bytes + times * other.sent_bytes};
  }
  auto operator<=>(const TimeKey&) const = default;
};

/// Whether something with price `a` makes it needless to look at something with price `b`. Each kind of memory counts.
template <std::size_t N>
bool beats(Aim aim, const TimeKey& a_time, const std::array<double, N>& a_bytes, const TimeKey& b_time,
           const std::array<double, N>& b_bytes) {
  bool no_more_bytes = true;
  for (std::size_t i = 0; i < N; ++i) no_more_bytes = no_more_bytes && a_bytes[i] <= b_bytes[i];
  switch (aim) {
    case Aim::kFastest: return a_time < b_time || (no_more_bytes && a_time == b_time);
    case Aim::kSmallest: return no_more_bytes && (a_bytes != b_bytes || a_time <= b_time);
    case Aim::kFastestThatFits:
    case Aim::kFront: return no_more_bytes && a_time <= b_time;
  }
  __builtin_unreachable();
}

/// Items have a `time` and `bytes`. Adds `item` unless one of `front` beats it, and drops those that it beats. Of equal
/// ones the first stays.
template <class Item>
void add_unbeaten(Aim aim, std::vector<Item>& front, const Item& item) {
  const auto beaten_by = [&](const Item& a, const Item& b) { return beats(aim, b.time, b.bytes, a.time, a.bytes); };
  if (std::any_of(front.begin(), front.end(), [&](const Item& other) { return beaten_by(item, other); })) return;
  std::erase_if(front, [&](const Item& other) { return beaten_by(other, item); });
  front.push_back(item);
}

}  // namespace meshmul
