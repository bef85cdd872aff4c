#pragma once
// Who touched one buffer, as far as a later op can still race with it.

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "lane_clocks.hpp"
#include "meshmul/box.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul::verification {

/// A box of a buffer that an op reads or writes, and how others can know that it is over.
struct Access {
  Box box;
  bool is_write = false;
  OpPlace place;
  std::size_t lane = 0;
  bool asynchronous = false;
  /// Of a put or get: increments each of which tells that it is over.
  std::optional<Increment> read_done, write_visible;
};

/// True if `access` is over in every order in which `lane` starts its next op.
inline bool is_over(const Access& access, std::size_t lane, const LaneClocks& clocks) {
  if (!access.asynchronous) return clocks.knows(lane, access.lane, access.place.op);
  if (access.write_visible && clocks.knows(lane, *access.write_visible)) return true;
  return !access.is_write && access.read_done && clocks.knows(lane, *access.read_done);
}

class AccessHistory {
 public:
  /// An earlier access that conflicts with a new one to `box` by `lane` and that nothing puts before it; or null.
  const Access* find_race(const Box& box, bool is_write, std::size_t lane, const LaneClocks& clocks) const {
    const Interval rows = rows_of(box);
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      if (intersect(rows_[i], rows).empty()) continue;
      const Access& earlier = accesses_[i];
      if ((is_write || earlier.is_write) && overlap(earlier.box, box) && !is_over(earlier, lane, clocks))
        return &earlier;
    }
    return nullptr;
  }

  /// Adds an access. An earlier one inside of its box that was over before is dropped: what conflicts with that one
  /// conflicts with the new one, and what comes after the new one comes after both.
  void add(const Access& access, const LaneClocks& clocks) {
    const Interval rows = rows_of(access.box);
    for (std::size_t i = 0; i < accesses_.size();) {
      const Access& earlier = accesses_[i];
      if (rows_[i].begin >= rows.begin && rows_[i].end <= rows.end && (access.is_write || !earlier.is_write) &&
          access.box.contains(earlier.box) && is_over(earlier, access.lane, clocks)) {
        rows_[i] = rows_.back();
        rows_.pop_back();
        accesses_[i] = accesses_.back();
        accesses_.pop_back();
      } else {
        ++i;
      }
    }
    rows_.push_back(rows);
    accesses_.push_back(access);
  }

 private:
  // Most chunks differ in the first dimension; a short list of it is quick to look through.
  static Interval rows_of(const Box& box) { return box.num_dims() > 0 ? box[0] : Interval{0, 1}; }

  std::vector<Interval> rows_;  // of each access
  std::vector<Access> accesses_;
};

}  // namespace meshmul::verification
