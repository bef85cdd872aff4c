#pragma once
// Rings of ranks, and the streams of blocks that go round them.

#include <string_view>
#include <vector>

#include "../placed_array.hpp"
#include "collectives.hpp"
#include "cut.hpp"

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
  std::string_view lane;
  std::string_view name;  ///< `forward` or `backward`
  int step = 1;           ///< +1 or -1 positions a hop
  int num_hops = 0;       ///< to the farthest member that this stream reaches
  bool splits_last = false;

  /// The part of `block` that travels in this stream between members `distance` hops apart.
  Box share(const Box& block, int distance) const;
};
std::vector<Stream> streams_of(int ring_size, Ways ways);

/// Sends block q, which lies at member q in `from`, to all others of the ring, into `to`.
void send_round(ScheduleBuilder& builder, const Ring& ring, const std::vector<Box>& blocks, const PlacedArray& from,
                const PlacedArray& to, Ways ways);

/// `boxes` of the members of `ring`, by position.
std::vector<Box> at_members(const Ring& ring, const std::vector<Box>& boxes_by_rank);

}  // namespace meshmul
