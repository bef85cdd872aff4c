#pragma once
// What each lane knows to be over: vector clocks, which count the ops of each other lane. They need nothing for puts and
// gets under way, since only lanes that passed a wait for the signals of one know that it is over, and a wait is an op of
// its lane.

#include <cstdint>
#include <vector>

#include "lane_table.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"

namespace meshmul::verification {

/// The `number`th increment, from 1, of the word `word`, over all runs. Number 0 is none.
struct Increment {
  std::size_t word = 0;
  std::uint64_t number = 0;
};

/// Walks along `num_runs` runs in which every wait passes, op by op. Lanes and moments are those of a LaneTable.
class LaneClocks {
 public:
  LaneClocks(const Schedule& schedule, const LaneTable& lanes, int num_runs);

  /// Passes a wait of `lane`, which is at `moment`: acquires what the awaited increment publishes. In run number `run`
  /// the threshold counts from the increments of all runs before.
  void pass(int lane, int moment, int rank, const Wait& wait, int run);

  /// Makes an increment behind the first `num_ops` ops of `lane`, the synchronous ones of which it publishes together
  /// with what the lane knows.
  Increment raise(int lane, int num_ops, const Raise& raise);

  /// `lane` learns what `other` knows, and its first `num_ops` ops.
  void learn(int lane, int other, int num_ops);

  /// True if `lane` knows that the op that `other` starts at `moment` is over, a synchronous one.
  bool knows(int lane, int other, int moment) const { return lane == other || row(lane)[other] > moment; }

  /// True if `lane` knows of the increment.
  bool knows(int lane, const Increment& increment) const;

 private:
  // The waits for one word that a lane passed; both members rise, since a wait that teaches nothing is left out.
  struct PassedWait {
    std::uint64_t threshold;
    int moment;
  };
  struct Reader {
    int lane;
    std::vector<PassedWait> waits;
  };
  struct Published {
    int lane = 0;
    int num_ops = 0;
    int snapshot = kNone;  // kept until the last wait for it has passed
    int waits_left = 0;    // for exactly this increment
  };
  struct WordState {
    std::uint64_t value = 0;
    std::uint64_t per_run = 0;
    std::vector<Published> increments;  // up to the highest threshold
    std::vector<Reader> readers;
  };
  // What a lane knows from one wait to the next, for as long as somebody refers to it: its row, or a copy of that once
  // the lane has learned more.
  struct Snapshot {
    int lane = 0;
    int uses = 0;
    bool is_copy = false;
    std::vector<int> copy;
  };
  static constexpr int kNone = -1;

  std::size_t word(int rank, int signal) const {
    return static_cast<std::size_t>(rank) * num_signals_ + static_cast<std::size_t>(signal);
  }
  int* row(int lane) { return clocks_.data() + static_cast<std::ptrdiff_t>(lane) * num_lanes_; }
  const int* row(int lane) const { return clocks_.data() + static_cast<std::ptrdiff_t>(lane) * num_lanes_; }

  void count_waits(const Schedule& schedule, int num_runs);
  // Lane `lane` learns `counts` and the first `num_ops` ops of `other`.
  void merge(int lane, const int* counts, int other, int num_ops);
  int use_snapshot(int lane);
  void drop_use(int snapshot);
  const int* counts_of(const Snapshot& snapshot) const {
    return snapshot.is_copy ? snapshot.copy.data() : row(snapshot.lane);
  }

  std::size_t num_signals_;
  int num_lanes_;
  std::vector<int> clocks_;     // one row a lane
  std::vector<int> snapshots_;  // by lane: the one that is its row, or kNone
  std::vector<Snapshot> pool_;
  std::vector<int> free_;  // of the pool
  std::vector<WordState> words_;
};

}  // namespace meshmul::verification
