#include "handshakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "access_log.hpp"
#include "effects.hpp"
#include "history.hpp"
#include "knowledge.hpp"
#include "op_regions.hpp"
#include "tracks.hpp"

namespace meshmul {
namespace {

// Clocks that are kept may take about as much memory as steps and lanes do. Rings look back two hops of all blocks.
constexpr std::size_t kClockBytesPerStep = 1024;
constexpr std::size_t kMaxClockBytes = std::size_t{1} << 30U;

class Handshakes {
 public:
  Handshakes(Schedule& schedule, std::size_t num_steps)
      : schedule_(schedule),
        tracks_(schedule),
        history_(tracks_, std::min(num_steps * kClockBytesPerStep, kMaxClockBytes)) {}

  // Steps of one lane that stand together. They live until `finish` takes their ops.
  void add(std::span<LaneOp> steps) {
    const int track = tracks_.find(steps.front().rank, steps.front().lane);
    std::vector<int> waits = meet(find_unmet(track, needs_of(steps)), track);
    for (LaneOp& step : steps) {
      add(step, track, waits);
      waits.clear();
      of_lane_.begin(track, tracks_.num_entries(track));
    }
  }

  // Awaits the arrivals that no step needed, each in the lane of that name at the rank where it is seen.
  void finish() {
    for (const auto& [word, raise] : last_arrival_) {
      if (last_awaited_.contains(word) && last_awaited_[word] == raise) continue;
      const int track = tracks_.find(tracks_.target_of(raise), tracks_.name_of(tracks_.place_of(raise).track));
      tracks_.append(track, {}, {raise});
    }
    tracks_.write();
  }

 private:
  // Of all the steps, latest first, one a step that is needed. What they need of each other their lane sees to.
  std::vector<Need> needs_of(std::span<const LaneOp> steps) {
    std::vector<Need> needs;
    const auto first = static_cast<int>(places_.size());
    int number = first;
    for (const LaneOp& step : steps) {
      const std::vector<Need> more = log_.add(number++, effects_of(step.op, step.rank));
      needs.insert(needs.end(), more.begin(), more.end());
    }
    if (steps.size() > 1) {
      std::erase_if(needs, [first](const Need& need) { return need.step >= first; });
      keep_strongest(needs);
    }
    return needs;
  }

  void add(LaneOp& step, int track, const std::vector<int>& waits) {
    TrackEntry entry;
    entry.op = &step.op;
    entry.asynchronous = is_put_or_get(step.op);
    places_.push_back(append(track, std::move(entry), waits, of_lane_));
    TrackEntry& added = tracks_.at(places_.back());
    if (!added.asynchronous) return;
    const Region& dst = destination(*added.op);
    added.arrived = tracks_.add_raise(places_.back(), dst.rank, buffer_name(dst.buffer) + ".arrived");
    last_arrival_[tracks_.word_of(added.arrived)] = added.arrived;
  }

  const EntryPlace& place_of(const Need& need) const { return places_[static_cast<std::size_t>(need.step)]; }
  const std::string& buffer_name(int buffer) const { return schedule_.buffers[static_cast<std::size_t>(buffer)].name; }

  // What a need is called: C.ready, or C.free where only the memory is needed.
  std::string name_of(const Need& need) const {
    return buffer_name(need.buffer) + (need.event == Event::kReadDone ? ".free" : ".ready");
  }

  bool knows(const Knowledge& knowledge, const Need& need) const {
    const TrackEntry& entry = tracks_.at(place_of(need));
    if (!entry.asynchronous) return knowledge.has_reached(place_of(need));
    if (knowledge.has_seen(entry.arrived)) return true;
    return need.event == Event::kReadDone && entry.read_done != kNoRaise && knowledge.has_seen(entry.read_done);
  }
  bool knows_all(const Knowledge& knowledge, const std::vector<Need>& needs) const {
    return std::all_of(needs.begin(), needs.end(), [&](const Need& need) { return knows(knowledge, need); });
  }

  // Those of `needs`, latest first, that neither the lane knows to be met nor the others imply.
  std::vector<Need> find_unmet(int track, const std::vector<Need>& needs) {
    std::vector<Need> unmet;
    of_lane_.begin(track, tracks_.num_entries(track));
    for (const Need& need : needs) {
      if (knows(of_lane_, need)) continue;
      unmet.push_back(need);
      if (tracks_.at(place_of(need)).asynchronous)
        of_lane_.learn(own_raise(need, tracks_.rank_of(track)));
      else
        of_lane_.learn_reached(place_of(need));
    }
    return unmet;
  }

  // What the next entry of the lane has to await for each need. What arrived at another rank is passed on by a relay of
  // that rank.
  std::vector<int> meet(const std::vector<Need>& unmet, int track) {
    const int rank = tracks_.rank_of(track);
    std::vector<int> waits;
    std::map<int, std::vector<Need>> elsewhere;  // by the rank that sees the event
    for (const Need& need : unmet) {
      if (!tracks_.at(place_of(need)).asynchronous) continue;
      const int seen_at = tracks_.target_of(own_raise(need, rank));
      if (seen_at != rank) elsewhere[seen_at].push_back(need);
    }
    if (!unmet.empty()) of_lane_.begin(track, tracks_.num_entries(track));
    for (const auto& [seen_at, needs] : elsewhere) await(relayed(needs, seen_at, track), waits, of_lane_);
    for (const Need& need : unmet) {
      if (knows(of_lane_, need)) continue;
      const EntryPlace place = place_of(need);
      const bool tells_itself = tracks_.at(place).asynchronous;
      await(tells_itself ? own_raise(need, rank) : signal_behind(place, rank, name_of(need)), waits, of_lane_);
    }
    return waits;
  }

  // Adds an entry that awaits `waits`, and then knows `knowledge`.
  EntryPlace append(int track, TrackEntry entry, const std::vector<int>& waits, const Knowledge& knowledge) {
    const EntryPlace place = tracks_.append(track, std::move(entry), waits);
    history_.add(place, knowledge.clock());
    return place;
  }

  void await(int raise, std::vector<int>& waits, Knowledge& knowledge) {
    waits.push_back(raise);
    knowledge.learn(raise);
    const EntryPlace place = tracks_.place_of(raise);
    if (!tracks_.at(place).asynchronous) return;
    const auto [last, is_first] = last_awaited_.try_emplace(tracks_.word_of(raise), raise);
    if (!is_first && tracks_.place_of(last->second).entry < place.entry) last->second = raise;
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
      const Region src = sources(std::as_const(*entry.op)).front();
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
    const bool writes_there =
        entry.op != nullptr && rank != tracks_.rank_of(place.track) && destination(*entry.op).rank == rank;
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
    const int relay = tracks_.find_relay(seen_at, fmt::format("relay.{}.to{}", tracks_.name_of(told), rank));
    const std::string what = name_of(needs.front());
    of_relay_.begin(relay, tracks_.num_entries(relay));
    if (knows_all(of_relay_, needs)) return signal_behind({relay, first_that_knows(relay, needs)}, rank, what);
    std::vector<int> waits;
    for (const Need& need : needs)
      if (!knows(of_relay_, need)) await(own_raise(need, seen_at), waits, of_relay_);
    return signal_behind(append(relay, {}, waits, of_relay_), rank, what);
  }

  // The first entry of `relay` that knows all `needs`, which the last one does. Each knows what those before it know.
  int first_that_knows(int relay, const std::vector<Need>& needs) {
    int ignorant = 0;  // so many at least do not know
    int knowing = tracks_.num_entries(relay) - 1;
    while (ignorant < knowing) {
      const int middle = ignorant + (knowing - ignorant) / 2;
      of_relay_.begin(relay, middle + 1);
      if (knows_all(of_relay_, needs))
        knowing = middle;
      else
        ignorant = middle + 1;
    }
    return knowing;
  }

  Schedule& schedule_;
  Tracks tracks_;
  AccessLog log_;
  History history_;
  Knowledge of_lane_{tracks_, history_};
  Knowledge of_relay_{tracks_, history_};
  std::vector<EntryPlace> places_;   // by step
  std::map<int, int> last_arrival_;  // by word: raises
  std::map<int, int> last_awaited_;
};

}  // namespace

void add_handshakes(Schedule& schedule, std::vector<LaneOp> steps) {
  Handshakes handshakes(schedule, steps.size());
  for (std::size_t begin = 0; begin < steps.size();) {
    std::size_t end = begin + 1;
    while (end < steps.size() && steps[end].with_previous) ++end;
    handshakes.add(std::span(steps).subspan(begin, end - begin));
    begin = end;
  }
  handshakes.finish();
}

}  // namespace meshmul
