#include "handshakes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "access_log.hpp"
#include "knowledge.hpp"
#include "op_regions.hpp"

namespace meshmul {
namespace {

constexpr int kNone = -1;
constexpr std::string_view kRelay = "relay";

// A step in its lane, with what is to be awaited before it and raised behind it. A relay has no op.
struct Entry {
  std::optional<Op> op;
  std::vector<int> waits;    // raises that must be visible before the op starts, latest first
  int arrived = kNone;       // raise of a put or get; of another op that writes at a peer, if somebody waits for it
  int read_done = kNone;     // raise of a put or get, if somebody waits for it
  std::vector<int> signals;  // raises that follow the op, each a Signal of its own
  std::shared_ptr<const Knowledge> knowledge;  // once the waits have passed

  bool asynchronous() const { return op && (std::holds_alternative<Put>(*op) || std::holds_alternative<Get>(*op)); }
};

struct Track {  // a lane that is being built
  int rank = 0;
  std::string name;
  std::vector<Entry> entries;
};

// One signal at one rank, and its one writing lane.
struct Word {
  int rank = 0;
  int signal = 0;
  int track = 0;
  int last_raise = kNone;  // of an arrival
  int last_awaited = kNone;
  std::uint64_t num_increments = 0;
};

struct Increment {
  int track = 0;
  int entry = 0;
  int word = 0;
  std::uint64_t threshold = 0;  // known once every signal is in its place
};

class Handshakes {
 public:
  explicit Handshakes(Schedule& schedule) : schedule_(schedule) {}

  void add(LaneOp step) {
    const int track = find_track(step.rank, step.lane);
    const std::vector<Need> unmet =
        find_unmet(track, log_.add(static_cast<int>(places_.size()), effects_of(step.op, step.rank)));
    Entry entry;
    entry.knowledge = latest(track);
    if (!unmet.empty()) meet(unmet, track, entry);
    entry.op = std::move(step.op);
    places_.emplace_back(track, append(track, std::move(entry)));
    if (at(places_.back()).asynchronous()) raise_arrival(places_.back());
  }

  // Awaits the arrivals that no step needed, numbers all increments, and writes the lanes.
  void finish() {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      const Word& stream = words_[word];
      if (stream.last_raise == kNone || stream.last_raise == stream.last_awaited) continue;
      Entry entry;
      entry.waits.push_back(stream.last_raise);
      append(find_track(stream.rank, tracks_[static_cast<std::size_t>(stream.track)].name), std::move(entry));
    }
    number_increments();
    for (const Track& track : tracks_) {
      Lane& lane = schedule_.ranks[static_cast<std::size_t>(track.rank)].lanes.emplace_back(Lane{track.name, {}});
      for (const Entry& entry : track.entries) write(entry, lane.ops);
    }
  }

 private:
  using EntryPlace = std::pair<int, int>;  // track, entry

  Entry& at(const EntryPlace& place) {
    return tracks_[static_cast<std::size_t>(place.first)].entries[static_cast<std::size_t>(place.second)];
  }
  Increment& increment(int raise) { return increments_[static_cast<std::size_t>(raise)]; }
  Word& word_of(int raise) { return words_[static_cast<std::size_t>(increment(raise).word)]; }

  // Keys of Knowledge: the synchronous ops of a lane, and the arrivals that raise one word.
  static int lane_key(int track) { return 2 * track; }
  static int stream_key(int word) { return 2 * word + 1; }

  int find_track(int rank, std::string_view name) {
    const auto [found, is_new] =
        track_numbers_.try_emplace({rank, std::string(name)}, static_cast<int>(tracks_.size()));
    if (is_new) tracks_.push_back({rank, std::string(name), {}});
    return found->second;
  }

  int append(int track, Entry entry) {
    std::vector<Entry>& entries = tracks_[static_cast<std::size_t>(track)].entries;
    entries.push_back(std::move(entry));
    return static_cast<int>(entries.size()) - 1;
  }

  // What the last entry of a lane knows.
  std::shared_ptr<const Knowledge> latest(int track) const {
    const std::vector<Entry>& entries = tracks_[static_cast<std::size_t>(track)].entries;
    return entries.empty() ? std::make_shared<const Knowledge>() : entries.back().knowledge;
  }

  bool knows(int track, const Knowledge& knowledge, const Need& need) {
    const auto& [other, number] = places_[static_cast<std::size_t>(need.step)];
    const Entry& entry = at({other, number});
    if (!entry.asynchronous()) return other == track || knowledge.count(lane_key(other)) > number;
    const auto has_seen = [&](int raise) {
      return raise != kNone && knowledge.count(stream_key(increment(raise).word)) > number;
    };
    return has_seen(entry.arrived) || (need.event == Event::kReadDone && has_seen(entry.read_done));
  }

  // Those of `needs`, latest first, that neither the lane knows to be met nor the others imply.
  std::vector<Need> find_unmet(int track, const std::vector<Need>& needs) {
    std::vector<Need> unmet;
    Knowledge knowledge = *latest(track);
    const int rank = tracks_[static_cast<std::size_t>(track)].rank;
    for (const Need& need : needs) {
      if (knows(track, knowledge, need)) continue;
      unmet.push_back(need);
      const EntryPlace& place = place_of(need);
      learn_published(place, knowledge);
      if (at(place).asynchronous()) learn_arrival(own_raise(need, rank), knowledge);
    }
    return unmet;
  }

  // Adds to `entry` a wait for each need. What arrived at another rank is passed on by one relay of that rank.
  void meet(const std::vector<Need>& unmet, int track, Entry& entry) {
    const int rank = tracks_[static_cast<std::size_t>(track)].rank;
    Knowledge knowledge = *entry.knowledge;
    std::map<int, std::vector<Need>> elsewhere;  // by the rank that sees the event
    for (const Need& need : unmet)
      if (at(place_of(need)).asynchronous())
        if (const int seen_at = word_of(own_raise(need, rank)).rank; seen_at != rank)
          elsewhere[seen_at].push_back(need);
    for (const auto& [seen_at, needs] : elsewhere) await(relayed(needs, seen_at, rank), entry, knowledge);
    for (const Need& need : unmet) {
      const EntryPlace place = place_of(need);
      if (knows(track, knowledge, need)) continue;
      await(at(place).asynchronous() ? own_raise(need, rank) : signal_behind(place, rank, name_of(need)), entry,
            knowledge);
    }
    entry.knowledge = std::make_shared<const Knowledge>(std::move(knowledge));
  }

  const EntryPlace& place_of(const Need& need) const { return places_[static_cast<std::size_t>(need.step)]; }

  // What a need is called: C.ready, or C.free where only the memory is needed.
  std::string name_of(const Need& need) const {
    const std::string& buffer = schedule_.buffers[static_cast<std::size_t>(need.buffer)].name;
    return buffer + (need.event == Event::kReadDone ? ".free" : ".ready");
  }

  // The raise by which the put or get of `need` tells of the event itself: at `rank` if it can.
  int own_raise(const Need& need, int rank) {
    const int arrived = at(place_of(need)).arrived;
    if (need.event == Event::kWriteVisible || word_of(arrived).rank == rank) return arrived;
    return raise_read_done(place_of(need));
  }

  // What any raise of an op publishes.
  void learn_published(const EntryPlace& place, Knowledge& knowledge) {
    knowledge.learn(*at(place).knowledge);
    knowledge.learn(lane_key(place.first), place.second + 1);
  }
  // What the raise of a put or get tells besides.
  void learn_arrival(int raise, Knowledge& knowledge) {
    knowledge.learn(stream_key(increment(raise).word), increment(raise).entry + 1);
  }

  // A wait for `raise` in `entry`.
  void await(int raise, Entry& entry, Knowledge& knowledge) {
    const EntryPlace place{increment(raise).track, increment(raise).entry};
    entry.waits.push_back(raise);
    learn_published(place, knowledge);
    if (raise != at(place).arrived && raise != at(place).read_done) return;
    if (at(place).asynchronous()) learn_arrival(raise, knowledge);
    int& last = word_of(raise).last_awaited;
    if (last == kNone || increment(last).entry < place.second) last = raise;
  }

  // A raise at `rank` once the synchronous op at `place` is done.
  int signal_behind(const EntryPlace& place, int rank, const std::string& what) {
    Entry& entry = at(place);
    if (entry.arrived != kNone && word_of(entry.arrived).rank == rank) return entry.arrived;
    for (const int raise : entry.signals)
      if (word_of(raise).rank == rank) return raise;
    const int raise = add_increment(place, rank, what);
    const int own_rank = tracks_[static_cast<std::size_t>(place.first)].rank;
    if (entry.op && rank != own_rank && destination(*entry.op).rank == rank) {
      entry.arrived = raise;
      set_arrived(*entry.op, word_of(raise).signal);
    } else {
      entry.signals.push_back(raise);
    }
    return raise;
  }

  // A raise at `rank` once all of `needs`, whose events are seen at `seen_at`, are met: behind the first relay there that
  // knows of them.
  int relayed(const std::vector<Need>& needs, int seen_at, int rank) {
    const int relay = find_track(seen_at, kRelay);
    const auto& entries = tracks_[static_cast<std::size_t>(relay)].entries;
    for (int i = 0; i < static_cast<int>(entries.size()); ++i) {
      const Knowledge& knowledge = *entries[static_cast<std::size_t>(i)].knowledge;
      if (std::all_of(needs.begin(), needs.end(), [&](const Need& need) { return knows(relay, knowledge, need); }))
        return signal_behind({relay, i}, rank, name_of(needs.front()));
    }
    Entry entry;
    Knowledge knowledge = *latest(relay);
    for (const Need& need : needs)
      if (!knows(relay, knowledge, need)) await(own_raise(need, seen_at), entry, knowledge);
    entry.knowledge = std::make_shared<const Knowledge>(std::move(knowledge));
    return signal_behind({relay, append(relay, std::move(entry))}, rank, name_of(needs.front()));
  }

  void raise_arrival(const EntryPlace& place) {
    const Region dst = destination(*at(place).op);
    const int raise = add_increment(place, dst.rank, buffer_name(dst) + ".arrived");
    at(place).arrived = raise;
    word_of(raise).last_raise = raise;
    set_arrived(*at(place).op, word_of(raise).signal);
  }

  // The raise of `sent` or `taken`, which is there only if somebody needs it.
  int raise_read_done(const EntryPlace& place) {
    if (const int raise = at(place).read_done; raise != kNone) return raise;
    const Region src = sources(*at(place).op).front();
    const std::string what = std::holds_alternative<Put>(*at(place).op) ? ".sent" : ".taken";
    const int raise = add_increment(place, src.rank, buffer_name(src) + what);
    at(place).read_done = raise;
    set_read_done(*at(place).op, word_of(raise).signal);
    return raise;
  }

  const std::string& buffer_name(const Region& region) const {
    return schedule_.buffers[static_cast<std::size_t>(region.buffer)].name;
  }

  int add_increment(const EntryPlace& place, int rank, const std::string& what) {
    increments_.push_back({place.first, place.second, word_at(rank, what, place.first), 0});
    return static_cast<int>(increments_.size()) - 1;
  }

  // The word of `what` at `rank` that the lane writes. A word has one writer, so the name says which where needed:
  // C.ready, C.ready.from3, C.ready.from3.copy1.
  int word_at(int rank, const std::string& what, int track) {
    const auto& [own_rank, lane, entries] = tracks_[static_cast<std::size_t>(track)];
    const std::string name = own_rank == rank ? what : fmt::format("{}.from{}", what, own_rank);
    const int word = find_word(rank, name, track);
    if (words_[static_cast<std::size_t>(word)].track == track) return word;
    return find_word(rank, fmt::format("{}.{}", name, lane), track);
  }

  int find_word(int rank, const std::string& name, int track) {
    const auto [signal, signal_is_new] = signal_numbers_.try_emplace(name, static_cast<int>(schedule_.signals.size()));
    if (signal_is_new) schedule_.signals.push_back({name});
    const auto [word, word_is_new] = word_numbers_.try_emplace({rank, signal->second}, static_cast<int>(words_.size()));
    if (word_is_new) words_.push_back({rank, signal->second, track});
    return word->second;
  }

  void number_increments() {
    const auto number = [this](int raise) {
      if (raise != kNone) increment(raise).threshold = ++word_of(raise).num_increments;
    };
    for (const Track& track : tracks_)
      for (const Entry& entry : track.entries) {
        number(entry.read_done);
        number(entry.arrived);
        for (const int raise : entry.signals) number(raise);
      }
  }

  void write(const Entry& entry, std::vector<Op>& ops) {
    for (auto raise = entry.waits.rbegin(); raise != entry.waits.rend(); ++raise)
      ops.emplace_back(Wait{word_of(*raise).signal, increment(*raise).threshold});
    if (entry.op) ops.push_back(*entry.op);
    for (const int raise : entry.signals) ops.emplace_back(Signal{word_of(raise).rank, word_of(raise).signal});
  }

  Schedule& schedule_;
  AccessLog log_;
  std::vector<Track> tracks_;
  std::vector<EntryPlace> places_;  // by step
  std::vector<Increment> increments_;
  std::vector<Word> words_;
  std::map<std::pair<int, std::string>, int> track_numbers_;
  std::map<std::string, int> signal_numbers_;
  std::map<std::pair<int, int>, int> word_numbers_;  // by rank and signal
};

}  // namespace

void add_handshakes(Schedule& schedule, std::vector<LaneOp> steps) {
  Handshakes handshakes(schedule);
  for (LaneOp& step : steps) handshakes.add(std::move(step));
  handshakes.finish();
}

}  // namespace meshmul
