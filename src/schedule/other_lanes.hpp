#pragma once
// Which lanes read and write a region.

#include <map>
#include <utility>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// What every lane of a schedule reads and writes, by buffer.
class LaneAccesses {
 public:
  struct Access {
    int rank = 0;  ///< of the lane
    int lane = 0;
    Box box;
    bool writes = false;
  };

  explicit LaneAccesses(const Schedule& schedule);
  /// All accesses to the buffer of a region.
  const std::vector<Access>& to_buffer_of(const Region& region) const;

 private:
  std::map<std::pair<int, int>, std::vector<Access>> by_buffer_;  // by rank and buffer
};

/// All lanes but one, of its rank and others. Refers to `accesses`.
class OtherLanes {
 public:
  OtherLanes(const LaneAccesses& accesses, int rank, int lane) : accesses_(accesses), rank_(rank), lane_(lane) {}

  /// Whether one of them reads, writes, or does either with an element of a region.
  bool read(const Region& region) const;
  bool write(const Region& region) const;
  bool touch(const Region& region) const { return read(region) || write(region); }

 private:
  bool access(const Region& region, bool writes) const;

  const LaneAccesses& accesses_;
  int rank_;
  int lane_;
};

}  // namespace meshmul
