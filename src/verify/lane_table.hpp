#pragma once
// The lanes of all ranks, numbered through, and moments in them over several runs. Where there is more than one, each rank
// has one lane more, that of its host, which acts between runs.

#include <cstddef>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::verification {

class LaneTable {
 public:
  LaneTable(const Schedule& schedule, int num_runs) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
      const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
      first_.push_back(static_cast<int>(entries_.size()));
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        entries_.push_back({rank, static_cast<int>(lane), static_cast<int>(lanes[lane].ops.size())});
      if (num_runs > 1) entries_.push_back({rank, kHost, 1});
    }
    first_.push_back(static_cast<int>(entries_.size()));
  }

  /// Lanes of the ranks and of their hosts.
  int size() const { return static_cast<int>(entries_.size()); }
  int number(int rank, int lane) const { return first_[static_cast<std::size_t>(rank)] + lane; }
  int host(int rank) const { return first_[static_cast<std::size_t>(rank) + 1] - 1; }

  /// Ops that the lane starts before its op number `op` of run number `run`, in all runs.
  int moment(int lane, int run, int op) const { return run * entries_[static_cast<std::size_t>(lane)].num_ops + op; }

  bool is_host(int lane) const { return entries_[static_cast<std::size_t>(lane)].lane == kHost; }
  /// The op that a lane, not that of a host, starts at `moment`.
  OpPlace place(int lane, int moment) const {
    const Entry& entry = entries_[static_cast<std::size_t>(lane)];
    return {entry.rank, entry.lane, moment % entry.num_ops};
  }
  int rank(int lane) const { return entries_[static_cast<std::size_t>(lane)].rank; }

 private:
  static constexpr int kHost = -1;
  struct Entry {
    int rank;
    int lane;
    int num_ops;  // in a run
  };

  std::vector<Entry> entries_;
  std::vector<int> first_;  // by rank, and the end
};

}  // namespace meshmul::verification
