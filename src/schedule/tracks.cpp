#include "tracks.hpp"

#include <fmt/format.h>

namespace meshmul {

int Tracks::find(int rank, const std::string& name) {
  const auto [found, is_new] = track_numbers_.try_emplace({rank, name}, static_cast<int>(tracks_.size()));
  if (is_new) tracks_.push_back({rank, name, {}});
  return found->second;
}

EntryPlace Tracks::append(int track, TrackEntry entry) {
  std::vector<TrackEntry>& entries = tracks_[static_cast<std::size_t>(track)].entries;
  entries.push_back(std::move(entry));
  return {track, static_cast<int>(entries.size()) - 1};
}

std::shared_ptr<const Knowledge> Tracks::latest(int track) const {
  const std::vector<TrackEntry>& all = entries(track);
  return all.empty() ? std::make_shared<const Knowledge>() : all.back().knowledge;
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
  const auto [word, word_is_new] = word_numbers_.try_emplace({rank, signal->second}, static_cast<int>(words_.size()));
  if (word_is_new) words_.push_back({rank, signal->second, track, 0});
  return word->second;
}

void Tracks::write() {
  count_increments();
  for (const Track& track : tracks_) {
    Lane& lane = schedule_.ranks[static_cast<std::size_t>(track.rank)].lanes.emplace_back(Lane{track.name, {}});
    for (const TrackEntry& entry : track.entries) write(entry, lane.ops);
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

void Tracks::write(const TrackEntry& entry, std::vector<Op>& ops) const {
  for (auto raise = entry.waits.rbegin(); raise != entry.waits.rend(); ++raise)
    ops.emplace_back(Wait{signal_of(*raise), raises_[static_cast<std::size_t>(*raise)].threshold});
  if (entry.op) {
    ops.push_back(*entry.op);
    if (entry.arrived != kNoRaise) set_arrived(ops.back(), signal_of(entry.arrived));
    if (entry.read_done != kNoRaise) set_read_done(ops.back(), signal_of(entry.read_done));
  }
  for (const int raise : entry.signals) ops.emplace_back(Signal{target_of(raise), signal_of(raise)});
}

}  // namespace meshmul
