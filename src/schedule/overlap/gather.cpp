// Which piece comes when, AllGather over X=4 (numbers are shards, those of a rank's own are not moved):
//
//     rank   in place, pull     ring, one way     ring, both ways
//      0     0, 1, 2, 3         0, 3, 2, 1        0, 3 and 1, 2
//      1     1, 2, 3, 0         1, 0, 3, 2        1, 0 and 2, 3

#include "gather.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "../collectives/holders.hpp"
#include "../collectives/ring.hpp"
#include "../collectives/ring_gather.hpp"
#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

// Rows of `box` (elements of its first dimension that is longer than 1) so that no part has more than `bytes`, where one
// row allows that.
std::vector<Box> blocks_of(const Box& box, std::optional<std::int64_t> bytes, Dtype dtype) {
  int dim = 0;
  while (dim < box.num_dims() && box[dim].size() == 1) ++dim;
  if (!bytes || dim == box.num_dims() || box.empty()) return {box};
  const std::int64_t rows = box[dim].size();
  const std::int64_t row_bytes = box.num_elements() / rows * size_bytes(dtype);
  return cut_in_rounds(box, dim, std::max<std::int64_t>(1, *bytes / row_bytes));
}

// Hops from position `origin` to `position`, the shorter way round if both are open.
int hops_between(const Ring& ring, int origin, int position, Ways ways) {
  const int forward = ring.wrap(position - origin);
  return ways == Ways::kOne ? forward : std::min(forward, ring.size() - forward);
}

}  // namespace

Pieces multiply_in_place(ScheduleBuilder& builder, const PlacedArray& from, const ArrayType& to) {
  Pieces pieces;
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    std::vector<Piece>& of_rank = pieces.emplace_back();
    for (const auto& [holder, part] : holders_of(builder.mesh(), from, rank, local_box(to, builder.mesh(), rank)))
      of_rank.push_back({part, from.region(holder, part)});
  }
  return pieces;
}

Pieces pull(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, const OverlapOptions& options) {
  const int dim = moving_dim(from.type, to.type);
  Pieces pieces;
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    std::vector<Piece>& of_rank = pieces.emplace_back();
    int next_lane = 0;
    for (const auto& [holder, part] : holders_of(builder.mesh(), from, rank, to.held(rank))) {
      if (holder == rank) {
        of_rank.push_back({part, from.region(rank, part)});
        continue;
      }
      for (const Box& chunk : cut_along(part, dim, options.chunks_per_shard)) {
        for (const Box& block : blocks_of(chunk, options.copy_bytes, from.type.dtype)) {
          builder.get(copy_lane(next_lane), to.region(rank, block), from.region(holder, block));
          next_lane = (next_lane + 1) % options.copy_lanes;
        }
        of_rank.push_back({chunk, to.region(rank, chunk)});
      }
    }
  }
  return pieces;
}

Pieces pass_round(ScheduleBuilder& builder, MoveKind kind, const PlacedArray& from, const PlacedArray& to, Ways ways) {
  Pieces pieces(static_cast<std::size_t>(builder.num_ranks()));
  for (const Ring& ring : rings_along(builder.mesh(), moved_axes(from.type, to.type)))
    for (int position = 0; position < ring.size(); ++position) {
      const int rank = ring.rank(position);
      std::vector<std::pair<int, Piece>> by_hops;
      for (int origin = 0; origin < ring.size(); ++origin) {
        const int holder = ring.rank(origin);
        const Box part = intersect(from.held(holder), to.held(rank));
        if (part.empty()) continue;
        const Region where = holder == rank ? from.region(rank, part) : to.region(rank, part);
        by_hops.push_back({hops_between(ring, origin, position, ways), {part, where}});
      }
      std::stable_sort(by_hops.begin(), by_hops.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (auto& [hops, piece] : by_hops) pieces[static_cast<std::size_t>(rank)].push_back(std::move(piece));
    }
  if (kind == MoveKind::kAllGather)
    gather_in_rings(builder, from.global, from, to, moved_axes(from.type, to.type), ways);
  else
    ring_all_to_all(builder, from, to, ways);
  return pieces;
}

}  // namespace meshmul
