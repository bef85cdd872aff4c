#include "history.hpp"

#include <algorithm>
#include <utility>

namespace meshmul {
namespace {

template <class T>
T& grown_to(std::vector<T>& all, int index) {
  const auto i = static_cast<std::size_t>(index);
  if (i >= all.size()) all.resize(i + 1);
  return all[i];
}

}  // namespace

void History::add(EntryPlace place, std::shared_ptr<const Clock> clock) {
  if (tracks_.column_of(place.track) != kNoColumn) grown_to(latest_, place.track) = clock;
  clocks_.add(std::move(clock));
  for (int i = tracks_.num_waits_before(place.track, place.entry); i < tracks_.at(place).num_waits; ++i) {
    const int raise = tracks_.waits(place.track)[static_cast<std::size_t>(i)];
    visit_news(raise, [&](int seen) { sightings_.add(tracks_.word_of(seen), place, tracks_.place_of(seen).entry); });
    const EntryPlace told_by = tracks_.place_of(raise);
    int& passed_on = grown_to(num_passed_on_, told_by.track);
    passed_on = std::max(passed_on, tracks_.at(told_by).num_waits);
  }
}

std::shared_ptr<const Clock> History::clock_at(EntryPlace place) const {
  const bool is_latest = place.entry + 1 == tracks_.num_entries(place.track);
  if (is_latest && tracks_.column_of(place.track) != kNoColumn) return latest_[static_cast<std::size_t>(place.track)];
  return clocks_.find(tracks_.at(place).serial);
}

}  // namespace meshmul
