#pragma once
// Chooses the order of events of a run: random, and unfair for long stretches, as machines are.

#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "machine.hpp"

namespace meshmul {

/// Every lane and every transfer has a weight, from 1 down to 1/256, with which it is chosen; so some lag far behind.
/// The weights of all change from time to time.
class Adversary {
 public:
  explicit Adversary(std::uint64_t seed) : random_(seed) {}

  /// One of `choices`, which are those of `machine` and not empty.
  Choice choose(const std::vector<Choice>& choices, const Machine& machine);
  /// Into how many pieces the next put or get is cut.
  int num_pieces() { return 1 + static_cast<int>(random_() % 4); }

 private:
  using Actor = std::tuple<int, int, int>;  // rank, lane, and op of a transfer or -1

  std::uint32_t weight(const Actor& actor);

  std::mt19937_64 random_;
  std::map<Actor, std::uint32_t> weights_;
};

}  // namespace meshmul
