#include "access_log.hpp"

#include <algorithm>

namespace meshmul {

void keep_strongest(std::vector<Need>& needs) {
  std::stable_sort(needs.begin(), needs.end(),
                   [](const Need& a, const Need& b) { return a.step != b.step ? a.step > b.step : a.event > b.event; });
  needs.erase(std::unique(needs.begin(), needs.end(), [](const Need& a, const Need& b) { return a.step == b.step; }),
              needs.end());
}

std::vector<Need> AccessLog::add(int step, const Effects& effects) {
  std::vector<Need> needs;
  const auto collect = [&](const BoxIndex& earlier, const Region& region, Event event) {
    earlier.visit_overlapping(region.box, [&](int by) { needs.push_back({by, event, region.buffer}); });
  };
  for (const Region& region : effects.reads) collect(at(region).writes, region, Event::kWriteVisible);
  for (const Region& region : effects.writes) {
    collect(at(region).writes, region, Event::kWriteVisible);
    collect(at(region).reads, region, Event::kReadDone);
  }

  for (const Region& region : effects.reads) at(region).reads.add(step, region.box);
  for (const Region& region : effects.writes) {
    at(region).reads.cut_out(region.box);
    at(region).writes.cut_out(region.box);
    at(region).writes.add(step, region.box);
  }

  keep_strongest(needs);
  return needs;
}

AccessLog::Accesses& AccessLog::at(const Region& region) {
  const auto rank = static_cast<std::size_t>(region.rank);
  const auto buffer = static_cast<std::size_t>(region.buffer);
  if (rank >= accesses_.size()) accesses_.resize(rank + 1);
  if (buffer >= accesses_[rank].size()) accesses_[rank].resize(buffer + 1);
  return accesses_[rank][buffer];
}

}  // namespace meshmul
