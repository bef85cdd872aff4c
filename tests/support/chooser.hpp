#pragma once
// Random choices, the same ones from the same seed.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace meshmul::testing {

/// A source of choices; every generator of random cases draws from it.
class Chooser {
 public:
  explicit Chooser(std::mt19937_64& random) : random_(random) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool percent(int chance) { return between(0, 99) < chance; }
  template <class Items>
  const auto& one_of(const Items& items) {
    return *(std::begin(items) + between(0, static_cast<std::int64_t>(std::size(items)) - 1));
  }
  /// The position of the weight that was hit.
  int weighted(std::initializer_list<int> weights) {
    int total = 0;
    for (const int weight : weights) total += weight;
    auto hit = static_cast<int>(between(0, total - 1));
    int position = 0;
    for (const int weight : weights) {
      if (hit < weight) return position;
      hit -= weight;
      ++position;
    }
    return 0;
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
  }

 private:
  std::mt19937_64& random_;
};

}  // namespace meshmul::testing
