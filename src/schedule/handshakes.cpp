#include "handshakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "access_log.hpp"
#include "effects.hpp"
#include "tracks.hpp"

namespace meshmul {
namespace {

class Handshakes {
 public:
  explicit Handshakes(Schedule& schedule) : schedule_(schedule), tracks_(schedule) {}

  void add(LaneOp step) {
    const int track = tracks_.find(step.rank, step.lane);
    const std::vector<Need> unmet =
        find_unmet(track, log_.add(static_cast<int>(places_.size()), effects_of(step.op, step.rank)));
    TrackEntry entry;
    entry.knowledge = tracks_.latest(track);
    if (!unmet.empty()) meet(unmet, track, entry);
    entry.op = std::move(step.op);
    places_.push_back(tracks_.append(track, std::move(entry)));
    if (TrackEntry& added = tracks_.at(places_.back()); added.asynchronous()) {
      const Region dst = destination(*added.op);
      added.arrived = tracks_.add_raise(places_.back(), dst.rank, buffer_name(dst.buffer) + ".arrived");
      last_arrival_[tracks_.word_of(added.arrived)] = added.arrived;
    }
  }

  // Awaits the arrivals that no step needed, each in the lane of that name at the rank where it is seen.
  void finish() {
    for (const auto& [word, raise] : last_arrival_) {
      if (last_awaited_.contains(word) && last_awaited_[word] == raise) continue;
      TrackEntry entry;
      entry.waits.push_back(raise);
      tracks_.append(tracks_.find(tracks_.target_of(raise), tracks_.name_of(tracks_.place_of(raise).track)), entry);
    }
    tracks_.write();
  }

 private:
  // Keys of Knowledge: the synchronous ops of a lane, and the puts or gets that raise one word.
  static int lane_key(int track) { return 2 * track; }
  static int stream_key(int word) { return 2 * word + 1; }

  const EntryPlace& place_of(const Need& need) const { return places_[static_cast<std::size_t>(need.step)]; }
  const std::string& buffer_name(int buffer) const { return schedule_.buffers[static_cast<std::size_t>(buffer)].name; }

  // What a need is called: C.ready, or C.free where only the memory is needed.
  std::string name_of(const Need& need) const {
    return buffer_name(need.buffer) + (need.event == Event::kReadDone ? ".free" : ".ready");
  }

  bool knows(int track, const Knowledge& knowledge, const Need& need) {
    const EntryPlace place = place_of(need);
    const TrackEntry& entry = tracks_.at(place);
    if (!entry.asynchronous()) return place.track == track || knowledge.count(lane_key(place.track)) > place.entry;
    const auto has_seen = [&](int raise) {
      return raise != kNoRaise && knowledge.count(stream_key(tracks_.word_of(raise))) > place.entry;
    };
    return has_seen(entry.arrived) || (need.event == Event::kReadDone && has_seen(entry.read_done));
  }

  // Those of `needs`, latest first, that neither the lane knows to be met nor the others imply.
  std::vector<Need> find_unmet(int track, const std::vector<Need>& needs) {
    std::vector<Need> unmet;
    Knowledge knowledge = *tracks_.latest(track);
    for (const Need& need : needs) {
      if (knows(track, knowledge, need)) continue;
      unmet.push_back(need);
      learn_published(place_of(need), knowledge);
      if (tracks_.at(place_of(need)).asynchronous()) learn_arrival(own_raise(need, tracks_.rank_of(track)), knowledge);
    }
    return unmet;
  }

  // Adds to `entry` a wait for each need. What arrived at another rank is passed on by a relay of that rank.
  void meet(const std::vector<Need>& unmet, int track, TrackEntry& entry) {
    const int rank = tracks_.rank_of(track);
    Knowledge knowledge = *entry.knowledge;
    std::map<int, std::vector<Need>> elsewhere;  // by the rank that sees the event
    for (const Need& need : unmet) {
      if (!tracks_.at(place_of(need)).asynchronous()) continue;
      const int seen_at = tracks_.target_of(own_raise(need, rank));
      if (seen_at != rank) elsewhere[seen_at].push_back(need);
    }
    for (const auto& [seen_at, needs] : elsewhere) await(relayed(needs, seen_at, track), entry, knowledge);
    for (const Need& need : unmet) {
      if (knows(track, knowledge, need)) continue;
      const EntryPlace place = place_of(need);
      const bool tells_itself = tracks_.at(place).asynchronous();
      await(tells_itself ? own_raise(need, rank) : signal_behind(place, rank, name_of(need)), entry, knowledge);
    }
    entry.knowledge = std::make_shared<const Knowledge>(std::move(knowledge));
  }

  // A wait for `raise` in `entry`.
  void await(int raise, TrackEntry& entry, Knowledge& knowledge) {
    const EntryPlace place = tracks_.place_of(raise);
    entry.waits.push_back(raise);
    learn_published(place, knowledge);
    if (!tracks_.at(place).asynchronous()) return;
    learn_arrival(raise, knowledge);
    const auto [last, is_first] = last_awaited_.try_emplace(tracks_.word_of(raise), raise);
    if (!is_first && tracks_.place_of(last->second).entry < place.entry) last->second = raise;
  }

  // What any raise of an op publishes.
  void learn_published(const EntryPlace& place, Knowledge& knowledge) {
    knowledge.learn(*tracks_.at(place).knowledge);
    knowledge.learn(lane_key(place.track), place.entry + 1);
  }
  // What the raise of a put or get tells besides.
  void learn_arrival(int raise, Knowledge& knowledge) {
    knowledge.learn(stream_key(tracks_.word_of(raise)), tracks_.place_of(raise).entry + 1);
  }

  // The raise by which the put or get of `need` tells of the event itself: at `rank` if it can.
  int own_raise(const Need& need, int rank) {
    const int arrived = tracks_.at(place_of(need)).arrived;
    if (need.event == Event::kWriteVisible || tracks_.target_of(arrived) == rank) return arrived;
    return raise_read_done(place_of(need));
  }

  // The raise of `sent` or `taken`, which is there only if somebody needs it.
  int raise_read_done(const EntryPlace& place) {
    TrackEntry& entry = tracks_.at(place);
    if (entry.read_done == kNoRaise) {
      const Region src = sources(*entry.op).front();
      const char* what = std::holds_alternative<Put>(*entry.op) ? ".sent" : ".taken";
      entry.read_done = tracks_.add_raise(place, src.rank, buffer_name(src.buffer) + what);
    }
    return entry.read_done;
  }

  // A raise at `rank` once the synchronous op, or the relay, at `place` is done.
  int signal_behind(const EntryPlace& place, int rank, const std::string& what) {
    TrackEntry& entry = tracks_.at(place);
    if (entry.arrived != kNoRaise && tracks_.target_of(entry.arrived) == rank) return entry.arrived;
    for (const int raise : entry.signals)
      if (tracks_.target_of(raise) == rank) return raise;
    const int raise = tracks_.add_raise(place, rank, what);
    const bool writes_there = entry.op && rank != tracks_.rank_of(place.track) && destination(*entry.op).rank == rank;
    if (writes_there)
      entry.arrived = raise;
    else
      entry.signals.push_back(raise);
    return raise;
  }

  // A raise once all of `needs`, whose events are seen at `seen_at`, are met, at the rank of `told`: behind the first relay
  // that knows of them. Each lane that is told has a relay of its own, which is then never late for having awaited what
  // another lane needs.
  int relayed(const std::vector<Need>& needs, int seen_at, int told) {
    const int rank = tracks_.rank_of(told);
    const int relay = tracks_.find(seen_at, fmt::format("relay.{}.to{}", tracks_.name_of(told), rank));
    const std::string what = name_of(needs.front());
    const auto& entries = tracks_.entries(relay);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Knowledge& knowledge = *entries[i].knowledge;
      if (std::all_of(needs.begin(), needs.end(), [&](const Need& need) { return knows(relay, knowledge, need); }))
        return signal_behind({relay, static_cast<int>(i)}, rank, what);
    }
    TrackEntry entry;
    Knowledge knowledge = *tracks_.latest(relay);
    for (const Need& need : needs)
      if (!knows(relay, knowledge, need)) await(own_raise(need, seen_at), entry, knowledge);
    entry.knowledge = std::make_shared<const Knowledge>(std::move(knowledge));
    return signal_behind(tracks_.append(relay, std::move(entry)), rank, what);
  }

  Schedule& schedule_;
  Tracks tracks_;
  AccessLog log_;
  std::vector<EntryPlace> places_;   // by step
  std::map<int, int> last_arrival_;  // by word: raises
  std::map<int, int> last_awaited_;
};

}  // namespace

void add_handshakes(Schedule& schedule, std::vector<LaneOp> steps) {
  Handshakes handshakes(schedule);
  for (LaneOp& step : steps) handshakes.add(std::move(step));
  handshakes.finish();
}

}  // namespace meshmul
