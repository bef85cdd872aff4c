#include "access_log.hpp"

#include <algorithm>

namespace meshmul {

std::vector<Need> AccessLog::add(int step, const Effects& effects) {
  std::vector<Need> needs;
  const auto collect = [&](const Region& region, bool write) {
    for (const Access& earlier : accesses_[{region.rank, region.buffer}])
      if ((write || earlier.write) && overlap(earlier.box, region.box))
        needs.push_back({earlier.step, earlier.write ? Event::kWriteVisible : Event::kReadDone, region.buffer});
  };
  for (const Region& region : effects.reads) collect(region, false);
  for (const Region& region : effects.writes) collect(region, true);

  for (const Region& region : effects.reads)
    accesses_[{region.rank, region.buffer}].push_back({step, region.box, false});
  for (const Region& region : effects.writes) {
    std::vector<Access>& accesses = accesses_[{region.rank, region.buffer}];
    std::erase_if(accesses, [&](const Access& earlier) { return region.box.contains(earlier.box); });
    accesses.push_back({step, region.box, true});
  }

  // Of two needs of one step the stronger comes first and stays.
  std::stable_sort(needs.begin(), needs.end(),
                   [](const Need& a, const Need& b) { return a.step != b.step ? a.step > b.step : a.event > b.event; });
  needs.erase(std::unique(needs.begin(), needs.end(), [](const Need& a, const Need& b) { return a.step == b.step; }),
              needs.end());
  return needs;
}

}  // namespace meshmul
