#pragma once
// What each lane knows to be over: sparse vector clocks, which count the ops of each other lane. They need nothing for puts and gets under way,
// since only lanes that passed a wait for the signals of one know that it is over, and a wait is an op of its lane.

#include <cstdint>
#include <memory>
#include <vector>

#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"
#include "schedule/knowledge.hpp"

namespace meshmul::verification {

/// The `number`th increment, from 1, of the word `word`.
struct Increment {
  std::size_t word = 0;
  std::uint64_t number = 0;
};

/// Walks along a run in which every wait passes, op by op.
class LaneClocks {
 public:
  explicit LaneClocks(const Schedule& schedule);

  /// Lanes of all ranks are numbered through.
  std::size_t lane(int rank, int lane) const {
    return first_lane_[static_cast<std::size_t>(rank)] + static_cast<std::size_t>(lane);
  }

  /// Passes a wait of `lane`, its op number `op`: acquires what the awaited increment publishes.
  void pass(std::size_t lane, int op, int rank, const Wait& wait);

  /// Makes an increment behind the first `num_ops` ops of `lane`, the synchronous ones of which it publishes together
  /// with what the lane knows.
  Increment raise(std::size_t lane, int num_ops, const Raise& raise);

  /// True if `lane` knows that op number `op` of `other` is over, a synchronous one.
  bool knows(std::size_t lane, std::size_t other, int op) const {
    return lane == other || clocks_[lane].count(static_cast<int>(other)) > op;
  }

  /// True if `lane` knows of the increment.
  bool knows(std::size_t lane, const Increment& increment) const;

 private:
  // The waits for one word that a lane passed; both members rise, since a wait that teaches nothing is left out.
  struct PassedWait {
    std::uint64_t threshold;
    int op;
  };
  struct Reader {
    std::size_t lane;
    std::vector<PassedWait> waits;
  };
  struct Published {
    std::size_t lane = 0;
    int num_ops = 0;
    std::shared_ptr<const Knowledge> clock;  // kept until the last wait for it has passed
    int waits_left = 0;                      // for exactly this increment
  };
  struct WordState {
    std::uint64_t value = 0;
    std::vector<Published> increments;  // up to the highest threshold
    std::vector<Reader> readers;
  };

  std::size_t word(int rank, int signal) const {
    return static_cast<std::size_t>(rank) * num_signals_ + static_cast<std::size_t>(signal);
  }

  std::size_t num_signals_;
  std::vector<std::size_t> first_lane_;                      // by rank
  std::vector<Knowledge> clocks_;                            // by lane
  std::vector<std::shared_ptr<const Knowledge>> snapshots_;  // by lane; null after a wait
  std::vector<WordState> words_;
};

}  // namespace meshmul::verification
