#pragma once
// Chooses the order of events of a run: random, and unfair for long stretches, as machines are.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "machine.hpp"

namespace meshmul {

/// Somebody who can do something: a lane, or a transfer.
struct Actor {
  static constexpr int kNoTransfer = -1;

  int rank = 0;
  int lane = 0;
  int transfer = kNoTransfer;
  auto operator<=>(const Actor&) const = default;
};

/// Every actor has a weight, from 1 down to 1/256, with which it is chosen; so some lag far behind. The weights of all
/// change from time to time.
class Adversary {
 public:
  explicit Adversary(std::uint64_t seed) : random_(seed) {}

  /// The index of one of `actors`, of which there is one at least; some may stand there more than once.
  std::size_t choose(const std::vector<Actor>& actors);
  /// One of `choices`, which are those of `machine` and not empty.
  Choice choose(const std::vector<Choice>& choices, const Machine& machine);
  /// Into how many pieces the next put or get is cut.
  int num_pieces() { return 1 + below(4); }
  /// From 0 to `limit` - 1.
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }

 private:
  std::uint32_t weight(const Actor& actor);

  std::mt19937_64 random_;
  std::map<Actor, std::uint32_t> weights_;
};

}  // namespace meshmul
