#pragma once
// Lanes that are being written, and the increments that they make and await. What an increment counts to is known only
// once all are in their places, so a signal may still be put behind an op that was added long ago.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "knowledge.hpp"
#include "meshmul/schedule.hpp"
#include "op_regions.hpp"

namespace meshmul {

inline constexpr int kNoRaise = -1;

/// An op in its lane, with what is to be awaited before it and raised behind it. A relay, and the wait at the end of a
/// lane, have no op.
struct TrackEntry {
  std::optional<Op> op;
  std::vector<int> waits;    ///< raises that must be visible before the op starts, latest first
  int arrived = kNoRaise;    ///< of a put or get; of another op that writes at a peer, if somebody waits for it
  int read_done = kNoRaise;  ///< of a put or get, if somebody waits for it
  std::vector<int> signals;  ///< raises that follow the op, each a Signal of its own
  std::shared_ptr<const Knowledge> knowledge;  ///< once the waits have passed

  bool asynchronous() const { return op && is_put_or_get(*op); }
};

/// A lane and the position of an entry in it.
struct EntryPlace {
  int track = 0;
  int entry = 0;
};

class Tracks {
 public:
  /// `schedule` has neither signals nor lanes yet.
  explicit Tracks(Schedule& schedule) : schedule_(schedule) {}

  /// The number of the lane `name` of `rank`, which is added if it is new.
  int find(int rank, const std::string& name);
  int rank_of(int track) const { return tracks_[static_cast<std::size_t>(track)].rank; }
  const std::string& name_of(int track) const { return tracks_[static_cast<std::size_t>(track)].name; }
  const std::vector<TrackEntry>& entries(int track) const { return tracks_[static_cast<std::size_t>(track)].entries; }
  TrackEntry& at(EntryPlace place) {
    return tracks_[static_cast<std::size_t>(place.track)].entries[static_cast<std::size_t>(place.entry)];
  }
  EntryPlace append(int track, TrackEntry entry);
  /// What the last entry of a lane knows.
  std::shared_ptr<const Knowledge> latest(int track) const;

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
    std::vector<TrackEntry> entries;
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

  int word_at(int rank, const std::string& what, int track);
  int find_word(int rank, const std::string& name, int track);
  void count_increments();
  void write(const TrackEntry& entry, std::vector<Op>& ops) const;

  Schedule& schedule_;
  std::vector<Track> tracks_;
  std::vector<Word> words_;
  std::vector<Raise> raises_;
  std::map<std::pair<int, std::string>, int> track_numbers_;
  std::map<std::string, int> signal_numbers_;
  std::map<std::pair<int, int>, int> word_numbers_;  // by rank and signal
};

}  // namespace meshmul
