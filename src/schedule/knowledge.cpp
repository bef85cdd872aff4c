#include "knowledge.hpp"

#include <algorithm>

namespace meshmul {

void Knowledge::begin(int track, int num_entries) {
  ++inquiry_;
  track_ = track;
  num_entries_ = 0;
  clock_.clear();
  told_ = nullptr;
  if (num_entries > 0) {
    told_ = history_.clock_at({track, num_entries - 1});
    if (!told_) learn_reached({track, num_entries - 1});
  }
  num_entries_ = num_entries;
}

void Knowledge::learn(int raise) {
  learn_reached(tracks_.place_of(raise));
  history_.visit_news(raise, [this](int seen) {
    const auto word = static_cast<std::size_t>(tracks_.word_of(seen));
    if (word >= seen_.size()) seen_.resize(word + 1);
    const int num_entries = tracks_.place_of(seen).entry + 1;
    if (seen_[word].inquiry != inquiry_) seen_[word] = {inquiry_, 0};
    seen_[word].num_entries = std::max(seen_[word].num_entries, num_entries);
  });
}

void Knowledge::learn_reached(EntryPlace place) {
  unlearnt_ = {place};
  while (!unlearnt_.empty()) {
    const EntryPlace next = unlearnt_.back();
    unlearnt_.pop_back();
    // Who knows that a lane has come so far knows all that the lane knew there.
    if (has_reached(next)) continue;
    if (const auto clock = history_.clock_at(next))
      merge(changeable(), *clock);
    else
      push_new_waits(next);
    note_reached(next);
  }
}

bool Knowledge::has_seen(int raise) const {
  const auto word = static_cast<std::size_t>(tracks_.word_of(raise));
  const bool is_new = word < seen_.size() && seen_[word].inquiry == inquiry_;
  if (is_new && seen_[word].num_entries > tracks_.place_of(raise).entry) return true;
  return history_.was_seen(raise, [this](EntryPlace place) { return has_reached(place); });
}

std::shared_ptr<const Clock> Knowledge::clock() const { return told_ ? told_ : std::make_shared<const Clock>(clock_); }

int Knowledge::num_reached(int track) const {
  if (track == track_ && num_entries_ > 0) return num_entries_;
  const Clock& known = told_ ? *told_ : clock_;
  const int column = tracks_.column_of(track);
  if (column == kNoColumn || static_cast<std::size_t>(column) >= known.size()) return 0;
  return known[static_cast<std::size_t>(column)];
}

// What was known before is shared with the entry that knew it until there is something new.
Clock& Knowledge::changeable() {
  if (told_) clock_ = *told_;
  told_ = nullptr;
  return clock_;
}

void Knowledge::note_reached(EntryPlace place) {
  const int column = tracks_.column_of(place.track);
  if (column == kNoColumn) return;
  Clock& clock = changeable();
  const auto index = static_cast<std::size_t>(column);
  if (index >= clock.size()) clock.resize(index + 1);
  clock[index] = std::max(clock[index], place.entry + 1);
}

// The latest wait comes to lie on top: it often tells what the others do.
void Knowledge::push_new_waits(EntryPlace place) {
  const std::vector<int>& waits = tracks_.waits(place.track);
  const int first = tracks_.num_waits_before(place.track, num_reached(place.track));
  for (int i = first; i < tracks_.at(place).num_waits; ++i)
    unlearnt_.push_back(tracks_.place_of(waits[static_cast<std::size_t>(i)]));
}

}  // namespace meshmul
