// Every rank has a block for every other; the block for the rank d hops away is forwarded d times. A block on its way
// lies in one of two transit slots, at the place that it had in the shard that it comes from, so blocks that lie side by
// side travel together. On four ranks, one way (xy is the block from x to y), what rank 0 receives:
//
//     hop 1   30, and 31 32 to pass on
//     hop 2   20, and 21 to pass on
//     hop 3   10

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "collectives.hpp"
#include "cut.hpp"
#include "ring.hpp"

namespace meshmul {
namespace {

// Two buffers with room for the shard of any rank of `from`.
struct TransitSlots {
  std::vector<int> buffers;

  TransitSlots(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, const Stream& stream) {
    const std::string name = builder.buffer(to.buffer).name + "." + std::string(stream.name);
    for (int slot = 0; slot < std::min(2, stream.num_hops - 1); ++slot)
      buffers.push_back(place_boxes(builder, name + std::to_string(slot), from.type, from.global).buffer);
  }

  // Where `part` of `shard` lies at `rank` after `hop` hops.
  Region region(int rank, int hop, const Box& shard, const Box& part) const {
    return region_in_corner(rank, buffers[static_cast<std::size_t>(hop) % buffers.size()], shard, part);
  }
};

// The parts of `shard`, which lies at position `origin`, that go farther than `hop` hops, as few boxes.
std::vector<Box> going_on(const Ring& ring, const Stream& stream, const Box& shard, int origin, int hop,
                          const PlacedArray& to) {
  std::vector<Box> parts;
  for (int distance = hop + 1; distance <= stream.num_hops; ++distance) {
    const Box& wanted = to.held(ring.rank(origin + stream.step * distance));
    const Box part = stream.share(intersect(shard, wanted), distance);
    if (!part.empty()) parts.push_back(part);
  }
  return merged(std::move(parts));
}

void forward_blocks(ScheduleBuilder& builder, const Ring& ring, const Stream& stream, const TransitSlots& slots,
                    const PlacedArray& from, const PlacedArray& to) {
  for (int hop = 1; hop <= stream.num_hops; ++hop)
    for (int position = 0; position < ring.size(); ++position) {
      const int origin = position - stream.step * (hop - 1);
      const Box& shard = from.held(ring.rank(origin));
      const int here = ring.rank(position);
      const int next = ring.rank(position + stream.step);
      const auto source = [&](const Box& part) {
        return hop == 1 ? from.region(here, part) : slots.region(here, hop - 1, shard, part);
      };
      const Box arriving = stream.share(intersect(shard, to.held(next)), hop);
      if (!arriving.empty()) builder.put(stream.lane, to.region(next, arriving), source(arriving));
      for (const Box& part : going_on(ring, stream, shard, origin, hop, to))
        builder.put(stream.lane, slots.region(next, hop, shard, part), source(part));
    }
}

}  // namespace

void ring_all_to_all(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways) {
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    const Box kept = intersect(from.held(rank), to.held(rank));
    builder.copy(to.region(rank, kept), from.region(rank, kept));
  }
  const std::vector<Ring> rings = rings_along(builder.mesh(), moved_axes(from.type, to.type));
  for (const Stream& stream : streams_of(rings.front().size(), ways)) {
    const TransitSlots slots(builder, from, to, stream);
    for (const Ring& ring : rings) forward_blocks(builder, ring, stream, slots, from, to);
  }
}

}  // namespace meshmul
