#pragma once
// Who has awaited which put or get.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tracks.hpp"

namespace meshmul {

class Sightings {
 public:
  /// The entry at `place` has awaited `word` up to the increment that entry number `raised_by` of its writer makes. Of one
  /// lane and one word both numbers rise from call to call.
  void add(int word, EntryPlace place, int raised_by);

  /// True if `knows(place)` is true of an entry that has awaited the increment of `word` by entry number `raised_by` of its
  /// writer, or a later one.
  template <class Knows>
  bool any(int word, int raised_by, const Knows& knows) const {
    if (static_cast<std::size_t>(word) >= lanes_of_word_.size()) return false;
    const std::vector<Lane>& lanes = lanes_of_word_[static_cast<std::size_t>(word)];
    return std::any_of(lanes.begin(), lanes.end(), [&](const Lane& lane) {
      const auto first = std::lower_bound(lane.sightings.begin(), lane.sightings.end(), raised_by,
                                          [](const Sighting& a, int b) { return a.raised_by < b; });
      return first != lane.sightings.end() && knows(EntryPlace{lane.track, first->entry});
    });
  }

 private:
  struct Sighting {
    int entry = 0;
    int raised_by = 0;
  };
  struct Lane {
    int track = 0;
    std::vector<Sighting> sightings;
  };

  std::vector<std::vector<Lane>> lanes_of_word_;
};

}  // namespace meshmul
