#pragma once
// Walks along runs of a schedule and finds accesses to the same memory, one of them writing, that no signals put in order.

#include <vector>

#include "access_history.hpp"
#include "lane_clocks.hpp"
#include "lane_table.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"

namespace meshmul::verification {

/// Two accesses to one buffer of `rank`; `later` starts later in the walk, but not in every order.
struct Race {
  int rank = 0;
  int buffer = 0;
  Access earlier, later;
};

class RaceWalk {
 public:
  /// The schedule outlives the walk, which keeps boxes of it.
  RaceWalk(const Schedule& schedule, int num_runs);

  /// Takes `steps`, one run in a legal order, as run number `run`. At most one race of an op is noted; others would mostly
  /// say the same.
  void run(const std::vector<OpPlace>& steps, int run);

  /// All lanes of `rank` are through with a run: its host reads the outputs that lie there and writes the inputs, and then
  /// the lanes begin the next run. What the lanes do not know to be over may still be under way.
  void host_step(int rank);

  const LaneTable& lanes() const { return lanes_; }
  const std::vector<Race>& races() const { return races_; }

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

  const Op& op_at(const OpPlace& place) const;
  void step(const OpPlace& place, int run);
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
