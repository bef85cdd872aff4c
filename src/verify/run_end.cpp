#include "run_end.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace meshmul::verification {

RunEnd::RunEnd(const LaneTable& lanes, const LaneClocks& clocks, int num_ranks)
    : clocks_(clocks), num_ranks_(num_ranks) {
  for (int rank = 0; rank < num_ranks; ++rank) {
    std::vector<int> counts(static_cast<std::size_t>(lanes.size()));
    for (int lane = lanes.first(rank); lane < lanes.end(rank); ++lane) {
      const std::span<const int> of_lane = clocks.counts(lane);
      std::transform(counts.begin(), counts.end(), of_lane.begin(), counts.begin(),
                     [](int a, int b) { return std::max(a, b); });
    }
    for (int lane = lanes.first(rank); lane < lanes.end(rank); ++lane)
      counts[static_cast<std::size_t>(lane)] = std::numeric_limits<int>::max();
    counts_.push_back(std::move(counts));
  }
  for (LateWord& late : clocks.late_words()) {
    late_words_.push_back(late.word);
    counts_.push_back(std::move(late.counts));
  }
}

// What a portion knows, for is_over.
struct RunEnd::Portion {
  const RunEnd& end;
  std::size_t number;

  bool knows(int lane, int moment) const { return end.counts_[number][static_cast<std::size_t>(lane)] > moment + 1; }
  bool knows(const Increment& increment) const {
    const auto num_ranks = static_cast<std::size_t>(end.num_ranks_);
    if (number >= num_ranks && end.late_words_[number - num_ranks] == increment.word) return true;
    return end.clocks_.is_known(increment, [this](int lane, int moment) { return knows(lane, moment); });
  }
};

bool RunEnd::tells(int portion, const Access& access) const {
  return is_over(access, Portion{*this, static_cast<std::size_t>(portion)});
}

}  // namespace meshmul::verification
