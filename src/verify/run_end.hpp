#pragma once
// What may be relied on in a run about the run before, where each rank begins its next run as soon as its own lanes are
// through. Such knowledge comes in few portions: all that a rank knew when it was through, which is known to whoever has
// heard of that rank's next run; and what the next run learns from a late word.

#include <vector>

#include "access_history.hpp"
#include "lane_clocks.hpp"
#include "lane_table.hpp"

namespace meshmul::verification {

class RunEnd {
 public:
  /// `clocks` have walked along a run to its end, as one that is followed.
  RunEnd(const LaneTable& lanes, const LaneClocks& clocks, int num_ranks);

  /// Portions are the ranks, then the late words.
  int num_portions() const { return static_cast<int>(counts_.size()); }
  int portion_of_late_word(int number) const { return num_ranks_ + number; }

  /// True if a portion tells that `access` of the run before is over.
  bool tells(int portion, const Access& access) const;

 private:
  struct Portion;

  const LaneClocks& clocks_;
  int num_ranks_;
  std::vector<std::vector<int>> counts_;  // by portion and lane, as LaneClocks::counts
  std::vector<std::size_t> late_words_;
};

}  // namespace meshmul::verification
