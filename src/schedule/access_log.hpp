#pragma once
// Remembers who touched which memory, and finds the earlier steps that a new one conflicts with.

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "effects.hpp"

namespace meshmul {

/// `event` of an earlier step must come before a new step starts, because both touch `buffer`: kReadDone if the earlier
/// one only reads what the new one writes.
struct Need {
  int step = 0;
  Event event = Event::kWriteVisible;
  int buffer = 0;
};

class AccessLog {
 public:
  /// Adds what step number `step` touches (numbers rise). Returns the conflicts with earlier steps, the latest first,
  /// one a step. A conflict that a later write in between covers is left out, since that write has it.
  std::vector<Need> add(int step, const Effects& effects);

 private:
  struct Access {
    int step = 0;
    Box box;
  };

  // The reads or the writes of one buffer of one rank, sorted by where they begin along one dimension: the first in which two of them
  // lie apart. There may be as many as ranks, and a new one overlaps few.
  class Accesses {
   public:
    // Calls `visit` with those that overlap `box`.
    template <class Visit>
    void visit_overlapping(const Box& box, const Visit& visit) const;
    void erase_inside(const Box& box);
    void add(const Access& access);

   private:
    using Sorted = std::multimap<std::int64_t, Access>;

    Interval along(const Box& box) const;
    Sorted::const_iterator first_near(const Box& box) const;
    void choose_dimension(const Box& box);

    std::optional<int> dim_;
    std::int64_t longest_ = 0;  // extent of an access along that dimension
    Sorted by_begin_;
  };
  // Reads do not conflict with reads, of which there may be many in one place.
  struct Touched {
    Accesses reads, writes;
  };
  using Place = std::pair<int, int>;  // rank, buffer

  Touched& touched(const Region& region) { return touched_[{region.rank, region.buffer}]; }

  std::map<Place, Touched> touched_;
};

}  // namespace meshmul
