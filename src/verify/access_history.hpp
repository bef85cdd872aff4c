#pragma once
// Who touched one buffer of one rank, as far as a later op can still race with it: lists of accesses, one for each part
// of the buffer that the accesses so far cut out of it, along one dimension.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lane_clocks.hpp"
#include "meshmul/box.hpp"

namespace meshmul::verification {

/// A box of a buffer that an op reads or writes, and how others can know that it is over.
struct Access {
  const Box* box = nullptr;
  int lane = 0;
  int moment = 0;
  bool is_write = false;
  bool asynchronous = false;
  /// Of a put or get: increments each of which tells that it is over; number 0 if there is none.
  Increment read_done, write_visible;
};

/// What a lane knows when it starts its next op.
struct LaneKnowledge {
  const LaneClocks& clocks;
  int lane;
  bool knows(int other, int moment) const { return clocks.knows(lane, other, moment); }
  bool knows(const Increment& increment) const { return clocks.knows(lane, increment); }
};

/// True if whoever knows what `knowledge` does knows that `access` is over.
template <class Knowledge>
bool is_over(const Access& access, const Knowledge& knowledge) {
  if (!access.asynchronous) return knowledge.knows(access.lane, access.moment);
  if (access.write_visible.number > 0 && knowledge.knows(access.write_visible)) return true;
  return !access.is_write && access.read_done.number > 0 && knowledge.knows(access.read_done);
}

class AccessHistory {
 public:
  /// Parts are cut along dimension `dim`, which works best if that is the one along which accesses differ most; -1 cuts
  /// nothing.
  explicit AccessHistory(int dim = -1) : dim_(dim), begins_{INT64_MIN}, parts_(1) {}

  /// Adds an access that is not empty. Returns an earlier one that conflicts with it and that nothing puts before it.
  std::optional<Access> add(const Access& access, const LaneClocks& clocks);

  /// Visits what reading, or writing, `box` conflicts with, until `visit` returns false: at least the last accesses, each
  /// perhaps several times. What was over before one of these need not be visited.
  template <class Visit>
  void for_each_conflict(const Box& box, bool is_write, Visit visit) const {
    std::size_t first = 0;
    std::size_t last = parts_.size();
    if (dim_ >= 0) {
      const auto after = std::upper_bound(begins_.begin(), begins_.end(), box[dim_].begin);
      first = static_cast<std::size_t>(after - begins_.begin()) - 1;
      last = static_cast<std::size_t>(std::lower_bound(after, begins_.end(), box[dim_].end) - begins_.begin());
    }
    for (std::size_t i = first; i < last; ++i)
      for (const std::vector<Access>* accesses : {&parts_[i].writes, &parts_[i].reads})
        for (const Access& access : *accesses)
          if ((is_write || access.is_write) && overlap_beside(*access.box, box) && !visit(access)) return;
  }
  /// Visits all accesses that are kept, until `visit` returns false.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Part& part : parts_)
      for (const std::vector<Access>* accesses : {&part.writes, &part.reads})
        for (const Access& access : *accesses)
          if (!visit(access)) return;
  }

 private:
  struct Part {
    std::vector<Access> writes, reads;
    std::size_t reads_kept = 0;  // when reads were last looked through
  };

  // The first part that begins at `begin` or after it; one begins there afterwards.
  std::size_t cut(std::int64_t begin);
  bool overlap_beside(const Box& a, const Box& b) const;
  bool contains_beside(const Box& outer, const Box& inner) const;
  // Looks for a race with `earlier`, and drops those that were over before and lie inside of the box of `access`: what
  // conflicts with one of them conflicts with `access`, and what comes after that comes after both.
  void meet(std::vector<Access>& earlier, const Access& access, const LaneClocks& clocks, std::optional<Access>& race,
            bool may_race, bool may_drop) const;
  void add_write(Part& part, const Access& access, const LaneClocks& clocks, std::optional<Access>& race) const;
  void add_read(Part& part, const Access& access, const LaneClocks& clocks, std::optional<Access>& race) const;
  // Parts in which `access`, a write, is all that is left become one.
  void join(std::size_t first, std::size_t last);

  int dim_;
  std::vector<std::int64_t> begins_;  // sorted; each part ends where the next one begins
  std::vector<Part> parts_;
};

}  // namespace meshmul::verification
