#pragma once
// Rings of ranks, and the streams of blocks that go round them.

#include <string>
#include <string_view>
#include <vector>

#include "collectives.hpp"

namespace meshmul {

/// Ranks in the order of the ring. Positions wrap around.
class Ring {
 public:
  explicit Ring(std::vector<int> ranks) : ranks_(std::move(ranks)) {}

  int size() const { return static_cast<int>(ranks_.size()); }
  int wrap(int position) const { return (position % size() + size()) % size(); }
  int rank(int position) const { return ranks_[static_cast<std::size_t>(wrap(position))]; }

 private:
  std::vector<int> ranks_;
};

/// One ring for each group of ranks that differ only along `axes`, in group order: a ring over several axes.
std::vector<Ring> rings_along(const Mesh& mesh, const std::vector<int>& axes);

/// The axes that stand elsewhere in `to` than in `from`.
std::vector<int> moved_axes(const ArrayType& from, const ArrayType& to);

/// A direction round a ring and what travels in it. One way, every block goes up to size - 1 hops forward. Both ways it
/// goes up to size / 2 hops, and the block between opposite members is split: one half forward, the other backward.
struct Stream {
  std::string lane;
  std::string_view name;  ///< `forward` or `backward`
  int step = 1;           ///< +1 or -1 positions a hop
  int num_hops = 0;       ///< to the farthest member that this stream reaches
  bool splits_last = false;

  /// The part of `block` that travels in this stream between members `distance` hops apart.
  Box share(const Box& block, int distance) const;
};

/// The streams of a ring. Rings along several axes that work at once have lanes of their own: `copy0` and `copy1` for
/// `lane_pair` 0, `copy2` and `copy3` for 1, …
std::vector<Stream> streams_of(int ring_size, Ways ways, int lane_pair = 0);

}  // namespace meshmul
