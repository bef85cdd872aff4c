#include "execute/cuda/device_timeline.hpp"

#include <algorithm>

#include "execute/cpu/measured_timeline.hpp"

namespace meshmul::cuda {

Timeline device_timeline(const Schedule& schedule, const std::vector<std::span<const DeviceOpTimes>>& times_of_rank) {
  std::vector<std::vector<OpTimes>> times;
  std::size_t number = 0;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::span<const DeviceOpTimes> noted = times_of_rank[static_cast<std::size_t>(rank)];
    const auto since_begin = [&](std::uint64_t moment) {
      return static_cast<std::int64_t>(moment - noted.back().begin);
    };
    std::vector<OpTimes>& of_rank = times.emplace_back();
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes) {
      const std::span<const DeviceOpTimes> of_lane = noted.subspan(number, lane.ops.size());
      number += lane.ops.size();
      std::int64_t now = 0;
      for (std::size_t op = 0; op < lane.ops.size(); ++op) {
        const bool waits = std::holds_alternative<Wait>(lane.ops[op]);
        const auto next = std::find_if(of_lane.begin() + static_cast<std::ptrdiff_t>(op), of_lane.end(),
                                       [](const DeviceOpTimes& some) { return some.noted(); });
        std::int64_t begin = now, end = now;
        if (waits && next != of_lane.end()) end = since_begin(next->begin);
        if (!waits && of_lane[op].noted()) {
          begin = since_begin(of_lane[op].begin);
          end = since_begin(of_lane[op].end);
        }
        begin = std::max(begin, now);
        now = std::max(begin, end);
        of_rank.push_back({begin, now});
      }
    }
  }
  return measured_timeline(schedule,
                           [&](int rank) { return std::span<const OpTimes>(times[static_cast<std::size_t>(rank)]); });
}

}  // namespace meshmul::cuda
