#include "sightings.hpp"

namespace meshmul {

void Sightings::add(int word, EntryPlace place, int raised_by) {
  const auto index = static_cast<std::size_t>(word);
  if (index >= lanes_of_word_.size()) lanes_of_word_.resize(index + 1);
  std::vector<Lane>& lanes = lanes_of_word_[index];
  auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& l) { return l.track == place.track; });
  if (lane == lanes.end()) lane = lanes.insert(lane, {place.track, {}});
  lane->sightings.push_back({place.entry, raised_by});
}

}  // namespace meshmul
