// The block of rank q starts as the term of the rank farthest from q and collects the term of every rank on its way, until
// q adds its own. A rank receives into two slots in turn, so that a neighbour may send while the last block is added to;
// a slot is sent into again only once what it held has gone on. On four ranks, one way, what the slots hold:
//
//     rank   hop 1       hop 2          hop 3                then
//      0     c3          b2+b3          a1+a2+a3             a1+a2+a3+a0
//      1     d0          c3+c0          b2+b3+b0             b2+b3+b0+b1
//      2     a1          d0+d1          c3+c0+c1             …
//      3     b2          a1+a2          d0+d1+d2

#include <algorithm>
#include <string>
#include <vector>

#include "collectives.hpp"
#include "ring.hpp"

namespace meshmul {
namespace {

// One stream of blocks round the rings, and where its partial sums lie: in the corner of one of two slots in turn, after
// the last hop perhaps straight at the owner.
class SumStream {
 public:
  SumStream(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, const std::vector<Box>& blocks,
            const Stream& stream, bool ends_in_place)
      : builder_(builder), from_(from), to_(to), stream_(stream), ends_in_place_(ends_in_place) {
    const std::string name = builder.buffer(to.buffer).name + "." + std::string(stream.name);
    const int num_slots = std::min(2, stream.num_hops - (ends_in_place ? 1 : 0));
    for (int slot = 0; slot < num_slots; ++slot)
      slots_.push_back(place_boxes(builder, name + std::to_string(slot), from.type, blocks).buffer);
  }

  const Stream& stream() const { return stream_; }

  /// `part` of `block` at `rank`, `distance` hops before the owner.
  Region sum(int rank, int distance, const Box& block, const Box& part) const {
    if (distance == 0 && ends_in_place_) return to_.region(rank, part);
    return region_in_corner(rank, slots_[static_cast<std::size_t>(distance) % slots_.size()], block, part);
  }

  /// Sends every block of `ring` from `distance` hops before its owner one hop on.
  void hop(const Ring& ring, const std::vector<Box>& blocks, int distance) {
    for (int owner = 0; owner < ring.size(); ++owner) {
      const Box& block = blocks[static_cast<std::size_t>(owner)];
      const int here = ring.rank(owner - stream_.step * distance);
      const int next = ring.rank(owner - stream_.step * (distance - 1));
      const Box part = stream_.share(block, distance);
      const Region source = distance == stream_.num_hops ? from_.region(here, part) : sum(here, distance, block, part);
      builder_.put(stream_.lane, sum(next, distance - 1, block, part), source);
    }
  }

  /// Adds the terms of the ranks that `hop` has sent blocks to.
  void add_own_terms(const Ring& ring, const std::vector<Box>& blocks, int distance) {
    for (int owner = 0; owner < ring.size(); ++owner) {
      const Box& block = blocks[static_cast<std::size_t>(owner)];
      const int rank = ring.rank(owner - stream_.step * distance);
      add_own_term(rank, distance, block, distance == 0 ? block : stream_.share(block, distance));
    }
  }

 private:
  // Of `wanted`, what came from farther away is added to, and the rest begins here.
  void add_own_term(int rank, int distance, const Box& block, const Box& wanted) {
    const Box received = stream_.share(block, distance + 1);
    builder_.reduce(sum(rank, distance, block, received), from_.region(rank, received));
    for (const Box& rest : subtract(wanted, received))
      builder_.copy(sum(rank, distance, block, rest), from_.region(rank, rest));
  }

  ScheduleBuilder& builder_;
  const PlacedArray& from_;
  const PlacedArray& to_;
  Stream stream_;
  bool ends_in_place_;
  std::vector<int> slots_;
};

// Brings the sum of block q to member q. The owner adds its own term to what came forward, and then what came backward.
void sum_round(ScheduleBuilder& builder, const Ring& ring, const std::vector<Box>& blocks, const PlacedArray& to,
               std::vector<SumStream>& streams, bool ends_in_place) {
  for (int distance = streams.front().stream().num_hops; distance > 0; --distance) {
    for (SumStream& stream : streams) stream.hop(ring, blocks, distance);
    for (SumStream& stream : streams)
      if (distance > 1) stream.add_own_terms(ring, blocks, distance - 1);
  }
  streams.front().add_own_terms(ring, blocks, 0);
  for (int owner = 0; owner < ring.size(); ++owner) {
    const int rank = ring.rank(owner);
    const Box& block = blocks[static_cast<std::size_t>(owner)];
    for (std::size_t i = 1; i < streams.size(); ++i) {
      const Box part = streams[i].stream().share(block, 1);
      if (part.empty()) continue;
      builder.reduce(streams.front().sum(rank, 0, block, part), streams[i].sum(rank, 0, block, part));
    }
    if (!ends_in_place) builder.copy(to.region(rank, block), streams.front().sum(rank, 0, block, block));
  }
}

}  // namespace

void ring_reduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways) {
  const Mesh& mesh = builder.mesh();
  const ReductionGroups groups = reduction_groups(from.type, to.type);
  const std::vector<Box> shares = shares_of_work(mesh, to, groups);
  const std::vector<Ring> rings = rings_along(mesh, groups.summed);
  // Sums that come in the dtype of the result end in the result; others are converted once more at their owner.
  const bool ends_in_place = from.type.dtype == to.type.dtype || rings.front().size() == 1;

  std::vector<SumStream> streams;
  for (const Stream& stream : streams_of(rings.front().size(), ways))
    streams.emplace_back(builder, from, to, shares, stream, ends_in_place && streams.empty());
  for (const Ring& ring : rings) sum_round(builder, ring, at_members(ring, shares), to, streams, ends_in_place);
  for (const Ring& ring : rings_along(mesh, groups.replicated))
    send_round(builder, ring, at_members(ring, shares), to, to, ways);
}

}  // namespace meshmul
