#include "knowledge.hpp"

#include <algorithm>

namespace meshmul {
namespace {

bool before(const std::pair<int, int>& entry, int key) { return entry.first < key; }

}  // namespace

int Knowledge::count(int key) const {
  const auto found = std::lower_bound(counts_.begin(), counts_.end(), key, before);
  return found != counts_.end() && found->first == key ? found->second : 0;
}

void Knowledge::learn(int key, int count) {
  const auto found = std::lower_bound(counts_.begin(), counts_.end(), key, before);
  if (found != counts_.end() && found->first == key)
    found->second = std::max(found->second, count);
  else
    counts_.insert(found, {key, count});
}

void Knowledge::learn(const Knowledge& other) {
  std::vector<std::pair<int, int>> merged;
  merged.reserve(counts_.size() + other.counts_.size());
  auto mine = counts_.begin();
  for (const auto& theirs : other.counts_) {
    for (; mine != counts_.end() && mine->first < theirs.first; ++mine) merged.push_back(*mine);
    if (mine != counts_.end() && mine->first == theirs.first)
      merged.emplace_back(theirs.first, std::max(theirs.second, mine++->second));
    else
      merged.push_back(theirs);
  }
  merged.insert(merged.end(), mine, counts_.end());
  counts_ = std::move(merged);
}

}  // namespace meshmul
