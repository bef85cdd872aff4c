#include "terms.hpp"

#include <algorithm>

namespace meshmul::verification {
namespace {

bool comes_before(const Box& a, const Box& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const Interval& x, const Interval& y) {
    return x.begin != y.begin ? x.begin < y.begin : x.end < y.end;
  });
}

// Joins boxes that have a side in common and sorts the rest. Two equal sets can still be cut differently in several
// dimensions; they are then two sets with the same terms, which costs time and changes no answer.
void normalize(std::vector<Box>& boxes) {
  std::erase_if(boxes, [](const Box& box) { return box.empty(); });
  for (std::size_t i = 0; i < boxes.size();) {
    const auto joins = [&](const Box& other) { return join(boxes[i], other).has_value(); };
    const auto other = std::find_if(boxes.begin() + static_cast<std::ptrdiff_t>(i) + 1, boxes.end(), joins);
    if (other == boxes.end()) {
      ++i;
    } else {
      boxes[i] = *join(boxes[i], *other);
      boxes.erase(other);
      i = 0;  // the larger box may join one that was passed before
    }
  }
  std::sort(boxes.begin(), boxes.end(), comes_before);
}

std::uint64_t hash_of(const std::vector<Box>& boxes) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a over 64-bit words
  for (const Box& box : boxes)
    for (const Interval& interval : box)
      for (const std::int64_t bound : {interval.begin, interval.end})
        hash = (hash ^ static_cast<std::uint64_t>(bound)) * 0x100000001B3U;
  return hash;
}

}  // namespace

int TermSets::intern(std::vector<Box> boxes) {
  normalize(boxes);
  const std::uint64_t hash = hash_of(boxes);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (this->boxes(known->second) == boxes) return known->second;
  TermSet set{std::move(boxes), 0};
  for (const Box& box : set.boxes) set.num_terms += box.num_elements();
  const auto number = static_cast<int>(sets_.size());
  sets_.push_back(std::move(set));
  by_hash_.emplace(hash, number);
  return number;
}

std::optional<int> TermSets::add(int a, int b) {
  if (a > b) std::swap(a, b);
  const std::uint64_t key = static_cast<std::uint64_t>(a) << 32U | static_cast<std::uint64_t>(b);
  const auto known = sums_.find(key);
  if (known != sums_.end()) return known->second;
  std::vector<Box> all = boxes(a);
  std::optional<int> sum;
  const auto meets_a = [&](const Box& box) {
    return std::any_of(all.begin(), all.end(), [&](const Box& other) { return overlap(box, other); });
  };
  if (std::none_of(boxes(b).begin(), boxes(b).end(), meets_a)) {
    all.insert(all.end(), boxes(b).begin(), boxes(b).end());
    sum = intern(std::move(all));
  }
  sums_.emplace(key, sum);
  return sum;
}

}  // namespace meshmul::verification
