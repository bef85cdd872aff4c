#pragma once
// The events to come, in the order of their times; at one time in the order of their ops.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace meshmul::simulation {

enum class EventKind : std::uint8_t {
  kHead,     ///< the head of a transfer is at its next link
  kSent,     ///< the bytes of a put have left
  kArrived,  ///< all bytes of a transfer have come
  kDone,     ///< the own part of an op is done; a signal can be seen
};

class Event {
 public:
  /// `part` says which of the transfers of `op`; `hop`, with kHead, which of its links.
  Event(std::int64_t time_ps, std::uint32_t op, EventKind kind, std::uint32_t part = 0, std::uint32_t hop = 0)
      : time_ps_(time_ps),
        order_(std::uint64_t{op} << 32 | std::uint64_t{hop} << 6 | part << 2 | static_cast<std::uint32_t>(kind)) {}

  std::int64_t time_ps() const { return time_ps_; }
  std::uint32_t op() const { return static_cast<std::uint32_t>(order_ >> 32); }
  EventKind kind() const { return static_cast<EventKind>(order_ & 3); }
  std::uint32_t part() const { return static_cast<std::uint32_t>(order_ >> 2 & 15); }
  std::uint32_t hop() const { return static_cast<std::uint32_t>(order_) >> 6; }
  /// Of two events at one time the one with the smaller order comes first.
  std::uint64_t order() const { return order_; }

 private:
  std::int64_t time_ps_;
  std::uint64_t order_;
};

/// A radix heap. No event is for a time before now, so those to come lie in buckets by the highest bit in which their time
/// differs from now. Time goes on to the earliest event of the lowest bucket, whose events then differ in lower bits: each
/// moves down at most once a bit, and mostly far fewer times.
class EventQueue {
 public:
  /// Goes on to the time of the next event. Returns whether there is one.
  bool advance() {
    if (has_now()) return true;
    if (occupied_ == 0) return false;
    const auto lowest = static_cast<std::size_t>(std::countr_zero(occupied_));
    occupied_ &= occupied_ - 1;
    std::vector<Event>& bucket = buckets_[lowest];
    now_ps_ = std::min_element(bucket.begin(), bucket.end(), is_earlier)->time_ps();
    sorted_.clear();
    next_ = 0;
    for (const Event& event : bucket) event.time_ps() == now_ps_ ? sorted_.push_back(event) : push_later(event);
    bucket.clear();
    if (!std::is_sorted(sorted_.begin(), sorted_.end(), is_before))
      std::sort(sorted_.begin(), sorted_.end(), is_before);
    return true;
  }

  std::int64_t now_ps() const { return now_ps_; }
  /// Whether there are more events at this time.
  bool has_now() const { return next_ < sorted_.size() || !late_.empty(); }
  /// The next one of them, and takes it out.
  Event take() {
    if (late_.empty() || (next_ < sorted_.size() && is_before(sorted_[next_], late_.front()))) return sorted_[next_++];
    std::pop_heap(late_.begin(), late_.end(), is_after);
    const Event event = late_.back();
    late_.pop_back();
    return event;
  }
  /// The one that is to come after `count` others at this time, unless more are pushed before; nullptr if there are not
  /// so many.
  const Event* ahead(std::size_t count) const {
    return count < sorted_.size() - next_ ? &sorted_[next_ + count] : nullptr;
  }
  /// Not before now.
  void push(const Event& event) {
    if (event.time_ps() != now_ps_) return push_later(event);
    late_.push_back(event);
    std::push_heap(late_.begin(), late_.end(), is_after);
  }

 private:
  static constexpr auto is_earlier = [](const Event& a, const Event& b) { return a.time_ps() < b.time_ps(); };
  static constexpr auto is_before = [](const Event& a, const Event& b) { return a.order() < b.order(); };
  static constexpr auto is_after = [](const Event& a, const Event& b) { return a.order() > b.order(); };

  void push_later(const Event& event) {
    const auto difference = static_cast<std::uint64_t>(event.time_ps() ^ now_ps_);
    const auto bucket = static_cast<std::size_t>(std::bit_width(difference)) - 1;
    occupied_ |= std::uint64_t{1} << bucket;
    buckets_[bucket].push_back(event);
  }

  std::int64_t now_ps_ = 0;
  std::array<std::vector<Event>, 63> buckets_;
  std::uint64_t occupied_ = 0;  // one bit a bucket
  std::vector<Event> sorted_;   // at this time, when time came to it
  std::size_t next_ = 0;        // of them
  std::vector<Event> late_;     // a heap of those at this time that were pushed since
};

}  // namespace meshmul::simulation
