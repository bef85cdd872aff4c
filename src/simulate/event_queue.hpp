#pragma once
// The events to come, in the order of their times; at one time in the order of their ops.

#include <algorithm>
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
      : time_ps_(time_ps), op_(op), detail_(hop << 6 | part << 2 | static_cast<std::uint32_t>(kind)) {}

  std::int64_t time_ps() const { return time_ps_; }
  std::uint32_t op() const { return op_; }
  EventKind kind() const { return static_cast<EventKind>(detail_ & 3); }
  std::uint32_t part() const { return detail_ >> 2 & 15; }
  std::uint32_t hop() const { return detail_ >> 6; }

  bool is_after(const Event& other) const {
    if (time_ps_ != other.time_ps_) return time_ps_ > other.time_ps_;
    return op_ != other.op_ ? op_ > other.op_ : detail_ > other.detail_;
  }

 private:
  std::int64_t time_ps_;
  std::uint32_t op_;
  std::uint32_t detail_;
};

class EventQueue {
 public:
  bool empty() const { return heap_.empty(); }
  const Event& next() const { return heap_.front(); }
  void push(const Event& event) {
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), is_later);
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), is_later);
    heap_.pop_back();
  }

 private:
  static bool is_later(const Event& a, const Event& b) { return a.is_after(b); }

  std::vector<Event> heap_;
};

}  // namespace meshmul::simulation
