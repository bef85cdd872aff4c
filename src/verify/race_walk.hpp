#pragma once
// Walks along a run of a schedule and finds accesses to the same memory, one of them writing, that no signals put in order.

#include <vector>

#include "access_history.hpp"
#include "lane_clocks.hpp"
#include "lane_table.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"
#include "token_run.hpp"

namespace meshmul::verification {

/// Two accesses to one buffer of `rank`; `later` starts later in the walk, but not in every order.
struct Race {
  int rank = 0;
  int buffer = 0;
  Access earlier, later;
};

class RaceWalk {
 public:
  /// Takes the steps of `run`, which finished. At most one race of an op is noted; others would mostly say the same. If
  /// another run follows without a barrier, its end is kept. The schedule outlives the walk, which keeps boxes of it.
  RaceWalk(const Schedule& schedule, const TokenRun& run, bool is_followed);

  const LaneTable& lanes() const { return lanes_; }
  const std::vector<Race>& races() const { return races_; }

  /// What the lanes know at the end, and who touched each buffer of each rank last.
  const LaneClocks& clocks() const { return clocks_; }
  const AccessHistory& history(int rank, int buffer) const {
    return history_[static_cast<std::size_t>(rank) * schedule_.buffers.size() + static_cast<std::size_t>(buffer)];
  }

 private:
  // What an op does, for walk_effects.
  struct OpEffects {
    std::vector<const Region*> reads_of, writes_of;
    std::vector<Raise> raises_of;
    void clear();
    void reads(const Region& region) { reads_of.push_back(&region); }
    void writes(const Region& region) { writes_of.push_back(&region); }
    void raises(const Raise& raise) { raises_of.push_back(raise); }
    void waits(const Wait&) {}
  };

  void step(const OpPlace& place, const Op& op);
  // False if there is a race.
  bool touch(const Region& region, bool is_write, Access access);
  void touch_all(const OpEffects& effects, const Access& access);

  const Schedule& schedule_;
  LaneTable lanes_;
  LaneClocks clocks_;
  std::vector<AccessHistory> history_;  // by rank and buffer
  OpEffects effects_;                   // of one op at a time; its lists keep their memory
  std::vector<Race> races_;
};

}  // namespace meshmul::verification
