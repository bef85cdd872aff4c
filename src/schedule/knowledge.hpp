#pragma once
// What a lane knows to be over while it is asked which waits its next entry needs.

#include <memory>
#include <vector>

#include "clocks.hpp"
#include "history.hpp"
#include "tracks.hpp"

namespace meshmul {

/// Where a clock is no longer kept, it is found again by walking back along waits, no further than to what is known already.
class Knowledge {
 public:
  Knowledge(const Tracks& tracks, const History& history) : tracks_(tracks), history_(history) {}

  /// Begins an inquiry anew, with what the first `num_entries` entries of `track` have been told.
  void begin(int track, int num_entries);

  /// Adds what a wait for `raise` tells: how far the lane that makes it has come, and what that lane knew.
  void learn(int raise);
  /// Adds what a wait for any raise behind the entry at `place` would tell.
  void learn_reached(EntryPlace place);

  /// True if the lane of `place` is known to have come so far: its synchronous ops up to there are over.
  bool has_reached(EntryPlace place) const { return num_reached(place.track) > place.entry; }
  /// True if `raise`, of a put or get, is known to have been made: it, or a later one of its word, was awaited.
  bool has_seen(int raise) const;

  /// All that is known, as a clock.
  std::shared_ptr<const Clock> clock() const;

 private:
  struct Seen {
    int inquiry = 0;
    int num_entries = 0;  // of the writer, up to the one whose raise was learnt
  };

  int num_reached(int track) const;
  Clock& changeable();
  void note_reached(EntryPlace place);
  void push_new_waits(EntryPlace place);

  const Tracks& tracks_;
  const History& history_;
  int track_ = 0;
  int num_entries_ = 0;
  int inquiry_ = 0;
  std::shared_ptr<const Clock> told_;  // before this inquiry; null once `clock_` has it
  Clock clock_;
  std::vector<Seen> seen_;  // in this inquiry, by word
  std::vector<EntryPlace> unlearnt_;
};

}  // namespace meshmul
