#pragma once
// The lanes of all ranks, numbered through. A moment in a lane is the number of its op that starts then.

#include <cstddef>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::verification {

class LaneTable {
 public:
  explicit LaneTable(const Schedule& schedule) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
      first_.push_back(size());
      const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) entries_.push_back({rank, static_cast<int>(lane)});
    }
    first_.push_back(size());
  }

  int size() const { return static_cast<int>(entries_.size()); }
  int number(int rank, int lane) const { return first_[static_cast<std::size_t>(rank)] + lane; }
  /// The lanes of a rank have the numbers from `first` to `end`.
  int first(int rank) const { return first_[static_cast<std::size_t>(rank)]; }
  int end(int rank) const { return first_[static_cast<std::size_t>(rank) + 1]; }
  int rank(int lane) const { return entries_[static_cast<std::size_t>(lane)].rank; }
  OpPlace place(int lane, int moment) const {
    return {rank(lane), entries_[static_cast<std::size_t>(lane)].lane, moment};
  }

 private:
  struct Entry {
    int rank;
    int lane;
  };

  std::vector<Entry> entries_;
  std::vector<int> first_;  // by rank, and the end
};

}  // namespace meshmul::verification
