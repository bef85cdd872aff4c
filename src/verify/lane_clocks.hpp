#pragma once
// What each lane knows to be over: vector clocks, which count the ops of each other lane. They need nothing for puts and
// gets under way, since only lanes that passed a wait for the signals of one know that it is over, and a wait is an op of
// its lane.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lane_table.hpp"
#include "meshmul/schedule.hpp"
#include "schedule/effects.hpp"
#include "token_run.hpp"

namespace meshmul::verification {

/// The `number`th increment, from 1, of the word `word`. Number 0 is none.
struct Increment {
  std::size_t word = 0;
  std::uint64_t number = 0;
};

/// `rank` has begun its run, or somebody has passed a wait for a late word; known from the op at `moment` on.
struct Heard {
  int moment = 0;
  int rank = -1;       ///< or, if there is none,
  int late_word = -1;  ///< this one
};

/// A word that a run raises further than it awaits. In the next run a wait for it tells of all increments of the run
/// before, and of what the last of them published: the first `counts[i]` - 1 ops of each lane i.
struct LateWord {
  std::size_t word = 0;
  std::vector<int> counts;
};

/// Walks along a run that finished, op by op. Lanes and moments are those of a LaneTable.
class LaneClocks {
 public:
  /// If `is_followed`, what the next run may rely on is noted too. `lanes`
  /// outlives the clocks.
  LaneClocks(const Schedule& schedule, const LaneTable& lanes, const TokenRun& run, bool is_followed);

  /// Passes a wait of `lane`, which is at `moment`: acquires what the awaited increment publishes.
  void pass(int lane, int moment, int rank, const Wait& wait);

  /// Makes an increment behind the first `num_ops` ops of `lane`, the synchronous ones of which it publishes together
  /// with what the lane knows.
  Increment raise(int lane, int num_ops, const Raise& raise);

  /// True if `lane` knows that the op that `other` starts at `moment` is over, a synchronous one.
  bool knows(int lane, int other, int moment) const { return lane == other || row(lane)[other] > moment + 1; }

  /// True if `lane` knows of the increment.
  bool knows(int lane, const Increment& increment) const {
    return is_known(increment, [&](int other, int moment) { return knows(lane, other, moment); });
  }
  /// The same for whoever knows what `knows(lane, moment)` says of each op.
  template <class Knows>
  bool is_known(const Increment& increment, Knows knows) const {
    for (const Reader& reader : words_[increment.word].readers) {
      const auto comes_before = [](const PassedWait& wait, std::uint64_t number) { return wait.threshold < number; };
      const auto first = std::lower_bound(reader.waits.begin(), reader.waits.end(), increment.number, comes_before);
      if (first != reader.waits.end() && knows(reader.lane, first->moment)) return true;
    }
    return false;
  }

  /// How many ops of each lane `lane` knows to be over, and one more if it knows that the lane has begun.
  std::span<const int> counts(int lane) const { return {row(lane), static_cast<std::size_t>(num_lanes_)}; }
  /// If the run is followed: what `lane` has heard, in the order of moments.
  const std::vector<Heard>& heard(int lane) const { return heard_[static_cast<std::size_t>(lane)]; }
  /// If the run is followed and over.
  std::vector<LateWord> late_words() const;

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
    std::vector<Published> increments;  // up to the highest threshold; up to the last of a late word
    int late = kNone;                   // its number among the late words
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
  int* row(int lane) { return clocks_.data() + static_cast<std::ptrdiff_t>(lane) * row_size_; }
  const int* row(int lane) const { return clocks_.data() + static_cast<std::ptrdiff_t>(lane) * row_size_; }

  void count_waits(const TokenRun& run);
  void find_late_words(const TokenRun& run);
  // Lane `lane`, which is at `moment`, learns the row `news` and the first `num_ops` ops of `other`.
  void merge(int lane, int moment, const int* news, int other, int num_ops);
  void note_heard(int lane, int moment, const int* news, int other, int num_ops);
  int use_snapshot(int lane);
  void drop_use(int snapshot);
  const int* row_of(const Snapshot& snapshot) const {
    return snapshot.is_copy ? snapshot.copy.data() : row(snapshot.lane);
  }

  std::size_t num_signals_;
  const LaneTable& lanes_;
  int num_lanes_;
  // A row has the counts of all lanes; of a run that is followed, then the ranks of which was heard, a bit each.
  int row_size_;
  std::vector<int> clocks_;     // one row a lane
  std::vector<int> snapshots_;  // by lane: the one that is its row, or kNone
  std::vector<Snapshot> pool_;
  std::vector<int> free_;  // of the pool
  std::vector<WordState> words_;

  bool is_followed_;
  std::vector<std::vector<Heard>> heard_;  // by lane
  std::vector<std::size_t> late_;          // words
  struct LateWait {
    int lane;
    int moment;
    int late_word;
  };
  std::vector<LateWait> late_waits_;
};

}  // namespace meshmul::verification
