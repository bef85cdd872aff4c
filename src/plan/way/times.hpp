#pragma once
// What the moves and the products of a way take together.

#include <algorithm>

namespace meshmul {

struct WayTimes {
  double moves = 0;
  double products = 0;

  double sequential() const { return moves + products; }
  double overlapped() const { return std::max(moves, products); }
  /// The time that counts.
  double seconds(bool with_overlap) const { return with_overlap ? overlapped() : sequential(); }
};

}  // namespace meshmul
