#pragma once
// What the entries of lanes have been told: their clocks, as far as they are kept, and which puts and gets they have seen.

#include <memory>
#include <vector>

#include "clocks.hpp"
#include "sightings.hpp"
#include "tracks.hpp"

namespace meshmul {

/// A relay is in no clock. It tells one lane alone, so whoever knows what it was told knows the entry of that lane.
class History {
 public:
  /// Keeps clocks of `max_bytes`, besides those of the last entries.
  History(const Tracks& tracks, std::size_t max_bytes) : tracks_(tracks), clocks_(max_bytes) {}

  /// The entry at `place`, which was added last, knows `clock`. What a lane knows of itself does not count.
  void add(EntryPlace place, std::shared_ptr<const Clock> clock);

  /// What the entry at `place` knew; null if that is not kept. It always is for the last entry of a lane that is no relay.
  std::shared_ptr<const Clock> clock_at(EntryPlace place) const;

  /// True if `knows(place)` is true of an entry that has awaited `raise`, or a later one of its word.
  template <class Knows>
  bool was_seen(int raise, const Knows& knows) const {
    return sightings_.any(tracks_.word_of(raise), tracks_.place_of(raise).entry, knows);
  }

  /// Calls `visit(raise)` for each put or get that a wait for `raise` tells about for the first time: `raise` itself, or what
  /// the relay that makes it has awaited.
  template <class Visit>
  void visit_news(int raise, const Visit& visit) const {
    const EntryPlace place = tracks_.place_of(raise);
    if (tracks_.at(place).asynchronous) return visit(raise);
    if (tracks_.column_of(place.track) != kNoColumn) return;
    for (int i = num_passed_on(place.track); i < tracks_.at(place).num_waits; ++i)
      visit(tracks_.waits(place.track)[static_cast<std::size_t>(i)]);
  }

 private:
  int num_passed_on(int track) const {
    const auto index = static_cast<std::size_t>(track);
    return index < num_passed_on_.size() ? num_passed_on_[index] : 0;
  }

  const Tracks& tracks_;
  Clocks clocks_;                                     // by serial
  std::vector<std::shared_ptr<const Clock>> latest_;  // by track
  std::vector<int> num_passed_on_;                    // waits of relays, by track
  Sightings sightings_;
};

}  // namespace meshmul
