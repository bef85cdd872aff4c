#include "schedule/other_lanes.hpp"

#include <algorithm>

#include "schedule/effects.hpp"

namespace meshmul {

LaneAccesses::LaneAccesses(const Schedule& schedule) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane)
      for (const Op& op : lanes[static_cast<std::size_t>(lane)].ops) {
        const Effects effects = effects_of(op, rank);
        const auto add = [&](const Region& region, bool writes) {
          by_buffer_[{region.rank, region.buffer}].push_back({rank, lane, region.box, writes});
        };
        for (const Region& region : effects.reads) add(region, false);
        for (const Region& region : effects.writes) add(region, true);
      }
  }
}

const std::vector<LaneAccesses::Access>& LaneAccesses::to_buffer_of(const Region& region) const {
  static const std::vector<Access> none;
  const auto found = by_buffer_.find({region.rank, region.buffer});
  return found == by_buffer_.end() ? none : found->second;
}

bool OtherLanes::read(const Region& region) const { return access(region, false); }
bool OtherLanes::write(const Region& region) const { return access(region, true); }

bool OtherLanes::access(const Region& region, bool writes) const {
  return std::ranges::any_of(accesses_.to_buffer_of(region), [&](const LaneAccesses::Access& access) {
    return (access.rank != rank_ || access.lane != lane_) && access.writes == writes && overlap(access.box, region.box);
  });
}

}  // namespace meshmul
