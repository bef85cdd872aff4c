#pragma once
// Lanes that are being written, and the increments that they make and await. What an increment counts to is known only
// once all are in their places, so a signal may still be put behind an op that was added long ago.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

inline constexpr int kNoRaise = -1;
inline constexpr int kNoColumn = -1;

/// An op in its lane, with what is raised behind it. A relay, and the wait at the end of a lane, have no op.
struct TrackEntry {
  Op* op = nullptr;           ///< lives as long as the tracks, which take it when they are written
  bool asynchronous = false;  ///< a put or get
  int arrived = kNoRaise;     ///< of a put or get; of another op that writes at a peer, if somebody waits for it
  int read_done = kNoRaise;   ///< of a put or get, if somebody waits for it
  int serial = 0;             ///< rises from entry to entry, in the order in which they were added
  int num_waits = 0;          ///< of the lane, up to this entry
  std::vector<int> signals;   ///< raises that follow the op, each a Signal of its own
};

/// A lane and the position of an entry in it.
struct EntryPlace {
  int track = 0;
  int entry = 0;
};

class Tracks {
 public:
  /// `schedule` has neither signals nor lanes yet.
  explicit Tracks(Schedule& schedule) : schedule_(schedule), names_(schedule.ranks.size()) {}

  /// The number of the lane `name` of `rank`, which is added if it is new.
  int find(int rank, const std::string& name) { return find(rank, name, false); }
  /// The same of a lane that has no ops of its own, only waits and signals.
  int find_relay(int rank, const std::string& name) { return find(rank, name, true); }
  /// The number of a lane among those that are no relays; kNoColumn for a relay.
  int column_of(int track) const { return track_at(track).column; }
  int rank_of(int track) const { return track_at(track).rank; }
  const std::string& name_of(int track) const { return track_at(track).name; }
  int num_entries(int track) const { return static_cast<int>(track_at(track).entries.size()); }
  TrackEntry& at(EntryPlace place) {
    return tracks_[static_cast<std::size_t>(place.track)].entries[static_cast<std::size_t>(place.entry)];
  }
  const TrackEntry& at(EntryPlace place) const {
    return track_at(place.track).entries[static_cast<std::size_t>(place.entry)];
  }
  /// The raises that a lane awaits, those of one entry in the order of the ops.
  const std::vector<int>& waits(int track) const { return track_at(track).waits; }
  /// How many of them come before entry number `entry`, whose own come behind them.
  int num_waits_before(int track, int entry) const { return entry == 0 ? 0 : at({track, entry - 1}).num_waits; }

  /// Adds an entry to a lane; it awaits the raises `waits`, given latest first. Fills in its serial and count of waits.
  EntryPlace append(int track, TrackEntry entry, const std::vector<int>& waits);

  /// A new increment at `rank` by the entry at `place`, of the signal for `what`. A word has one writer, so the name says
  /// which where needed: C.ready, C.ready.from3, C.ready.from3.copy1. Returns the number of the raise.
  int add_raise(EntryPlace place, int rank, const std::string& what);
  EntryPlace place_of(int raise) const { return raises_[static_cast<std::size_t>(raise)].place; }
  int word_of(int raise) const { return raises_[static_cast<std::size_t>(raise)].word; }
  int target_of(int raise) const { return words_[static_cast<std::size_t>(word_of(raise))].rank; }
  int signal_of(int raise) const { return words_[static_cast<std::size_t>(word_of(raise))].signal; }

  /// Counts the increments, and writes signals, waits and ops into the schedule.
  void write();

 private:
  struct Track {
    int rank = 0;
    std::string name;
    int column = kNoColumn;
    std::vector<TrackEntry> entries;
    std::vector<int> waits;
  };
  struct Word {
    int rank = 0;
    int signal = 0;
    int track = 0;  // the writer
    std::uint64_t num_increments = 0;
  };
  struct Raise {
    EntryPlace place;
    int word = 0;
    std::uint64_t threshold = 0;
  };

  const Track& track_at(int track) const { return tracks_[static_cast<std::size_t>(track)]; }
  int find(int rank, const std::string& name, bool is_relay);
  int word_at(int rank, const std::string& what, int track);
  int find_word(int rank, const std::string& name, int track);
  void count_increments();
  void write(const Track& track, std::vector<Op>& ops) const;
  void write(const TrackEntry& entry, std::vector<Op>& ops) const;

  Schedule& schedule_;
  std::vector<Track> tracks_;
  std::vector<Word> words_;
  std::vector<Raise> raises_;
  int num_entries_ = 0;  // of all lanes
  int num_columns_ = 0;
  // What is found by name. Millions of times, so the maps are small or hashed.
  struct Names {
    std::map<std::string, int> tracks;
    std::unordered_map<int, int> words;  // by signal
  };
  std::vector<Names> names_;  // by rank
  std::unordered_map<std::string, int> signal_numbers_;
};

}  // namespace meshmul
