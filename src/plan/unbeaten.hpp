#pragma once
// Which of many priced things are worth a choice between time and memory.

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace meshmul {

/// The items of which no other is better in both `seconds` and `bytes`, the fastest first. Times that differ by rounding
/// alone are the same: then the one with fewer bytes stays. Of equal ones the first stays.
template <class Item, class Seconds, class Bytes>
std::vector<Item> unbeaten(std::vector<Item> items, Seconds seconds, Bytes bytes) {
  const auto price = [&](const Item& item) { return std::tuple(seconds(item), bytes(item)); };
  std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return price(a) < price(b); });
  constexpr double kRoundings = 0x1p-38;  // sums of times of 40 bits, each off by up to 2^-40 of itself
  std::vector<Item> kept;
  for (Item& item : items) {
    if (!kept.empty() && bytes(item) >= bytes(kept.back())) continue;
    if (!kept.empty() && seconds(item) <= seconds(kept.back()) * (1 + kRoundings)) kept.pop_back();
    kept.push_back(std::move(item));
  }
  return kept;
}

}  // namespace meshmul
