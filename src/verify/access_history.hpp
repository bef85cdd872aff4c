#pragma once
// Who touched one buffer of one rank, as far as a later op can still race with it: lists of accesses, one for each part
// of the buffer that the accesses so far cut out of it, along one dimension.

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

/// True if `access` is over in every order in which `lane` starts its next op.
inline bool is_over(const Access& access, int lane, const LaneClocks& clocks) {
  if (!access.asynchronous) return clocks.knows(lane, access.lane, access.moment);
  if (access.write_visible.number > 0 && clocks.knows(lane, access.write_visible)) return true;
  return !access.is_write && access.read_done.number > 0 && clocks.knows(lane, access.read_done);
}

class AccessHistory {
 public:
  /// Parts are cut along dimension `dim`, which works best if that is the one along which accesses differ most; -1 cuts
  /// nothing.
  explicit AccessHistory(int dim = -1) : dim_(dim), begins_{INT64_MIN}, parts_(1) {}

  /// Adds an access that is not empty. Returns an earlier one that conflicts with it and that nothing puts before it.
  std::optional<Access> add(const Access& access, const LaneClocks& clocks);

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
