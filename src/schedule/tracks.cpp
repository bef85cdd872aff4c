#include "tracks.hpp"

#include <fmt/format.h>

#include <utility>

#include "op_regions.hpp"

namespace meshmul {

int Tracks::find(int rank, const std::string& name, bool is_relay) {
  std::map<std::string, int>& tracks = names_[static_cast<std::size_t>(rank)].tracks;
  const auto [found, is_new] = tracks.try_emplace(name, static_cast<int>(tracks_.size()));
  if (is_new) tracks_.push_back({rank, name, is_relay ? kNoColumn : num_columns_++, {}, {}});
  return found->second;
}

EntryPlace Tracks::append(int track, TrackEntry entry, const std::vector<int>& waits) {
  Track& added_to = tracks_[static_cast<std::size_t>(track)];
  entry.serial = num_entries_++;
  added_to.waits.insert(added_to.waits.end(), waits.rbegin(), waits.rend());
  entry.num_waits = static_cast<int>(added_to.waits.size());
  added_to.entries.push_back(std::move(entry));
  return {track, num_entries(track) - 1};
}

int Tracks::add_raise(EntryPlace place, int rank, const std::string& what) {
  raises_.push_back({place, word_at(rank, what, place.track), 0});
  return static_cast<int>(raises_.size()) - 1;
}

int Tracks::word_at(int rank, const std::string& what, int track) {
  const std::string name = rank_of(track) == rank ? what : fmt::format("{}.from{}", what, rank_of(track));
  const int word = find_word(rank, name, track);
  if (words_[static_cast<std::size_t>(word)].track == track) return word;
  return find_word(rank, fmt::format("{}.{}", name, name_of(track)), track);
}

int Tracks::find_word(int rank, const std::string& name, int track) {
  const auto [signal, signal_is_new] = signal_numbers_.try_emplace(name, static_cast<int>(schedule_.signals.size()));
  if (signal_is_new) schedule_.signals.push_back({name});
  std::unordered_map<int, int>& words = names_[static_cast<std::size_t>(rank)].words;
  const auto [word, word_is_new] = words.try_emplace(signal->second, static_cast<int>(words_.size()));
  if (word_is_new) words_.push_back({rank, signal->second, track, 0});
  return word->second;
}

void Tracks::write() {
  count_increments();
  for (const Track& track : tracks_) {
    Lane& lane = schedule_.ranks[static_cast<std::size_t>(track.rank)].lanes.emplace_back(Lane{track.name, {}});
    write(track, lane.ops);
  }
}

void Tracks::count_increments() {
  const auto count = [this](int raise) {
    if (raise == kNoRaise) return;
    Word& word = words_[static_cast<std::size_t>(word_of(raise))];
    raises_[static_cast<std::size_t>(raise)].threshold = ++word.num_increments;
  };
  for (const Track& track : tracks_)
    for (const TrackEntry& entry : track.entries) {
      count(entry.read_done);
      count(entry.arrived);
      for (const int raise : entry.signals) count(raise);
    }
}

void Tracks::write(const Track& track, std::vector<Op>& ops) const {
  std::size_t num_ops = track.waits.size();
  for (const TrackEntry& entry : track.entries) num_ops += (entry.op != nullptr ? 1 : 0) + entry.signals.size();
  ops.reserve(num_ops);
  auto wait = track.waits.begin();
  for (const TrackEntry& entry : track.entries) {
    for (; wait != track.waits.begin() + entry.num_waits; ++wait)
      ops.emplace_back(Wait{signal_of(*wait), raises_[static_cast<std::size_t>(*wait)].threshold});
    write(entry, ops);
  }
}

void Tracks::write(const TrackEntry& entry, std::vector<Op>& ops) const {
  if (entry.op != nullptr) {
    ops.push_back(std::move(*entry.op));
    if (entry.arrived != kNoRaise) set_arrived(ops.back(), signal_of(entry.arrived));
    if (entry.read_done != kNoRaise) set_read_done(ops.back(), signal_of(entry.read_done));
  }
  for (const int raise : entry.signals) ops.emplace_back(Signal{target_of(raise), signal_of(raise)});
}

}  // namespace meshmul
