#include "ring_parts.hpp"

#include <algorithm>
#include <cmath>

#include "cut.hpp"
#include "ring.hpp"

namespace meshmul {
namespace {

// What is held after all have sent what they hold round the rings along `axis`.
HeldBlocks after_round(const Mesh& mesh, const HeldBlocks& held, int axis, Ways ways, Travel travel) {
  HeldBlocks after(held.size());
  const auto append = [&](int rank, int from) {
    std::vector<int>& blocks = after[static_cast<std::size_t>(rank)];
    const std::vector<int>& more = held[static_cast<std::size_t>(from)];
    if (std::find(blocks.begin(), blocks.end(), more.front()) == blocks.end())
      blocks.insert(blocks.end(), more.begin(), more.end());
  };
  const std::vector<Stream> streams = streams_of(static_cast<int>(mesh.size(axis)), ways);
  const int side = travel == Travel::kAway ? -1 : 1;  // on which the owners of what comes forward are
  for (const Ring& ring : rings_along(mesh, {axis}))
    for (int position = 0; position < ring.size(); ++position) {
      append(ring.rank(position), ring.rank(position));
      for (int hop = 1; hop <= streams.front().num_hops; ++hop)
        for (const Stream& stream : streams)
          append(ring.rank(position), ring.rank(position + side * stream.step * hop));
    }
  return after;
}

}  // namespace

Box RingPart::of(const Box& block) const {
  Box part = block;
  if (num_phases() < 2) return part;
  Interval& cut = part[dim_to_cut(block, num_phases())];
  const auto size = static_cast<double>(cut.size());
  cut = {cut.begin + std::llround(size * begin_), cut.begin + std::llround(size * end_)};
  return part;
}

std::vector<HeldBlocks> held_by_phase(const Mesh& mesh, const RingPart& part, Ways ways, Travel travel) {
  std::vector<HeldBlocks> held(1);
  for (int rank = 0; rank < mesh.num_devices(); ++rank) held.front().push_back({rank});
  for (int phase = 0; phase + 1 < part.num_phases(); ++phase)
    held.push_back(after_round(mesh, held.back(), part.axis(phase), ways, travel));
  return held;
}

}  // namespace meshmul
