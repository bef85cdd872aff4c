#include "plan/deadlines.hpp"

#include <algorithm>
#include <utility>

namespace meshmul {

Deadlines::Deadlines(const MoveBounds& bounds, Direction direction, std::vector<Target> targets, int num_states)
    : latest_(-std::numeric_limits<double>::infinity()),
      bounds_(&bounds),
      direction_(direction),
      targets_(std::move(targets)) {
  std::sort(targets_.begin(), targets_.end(), [](const Target& a, const Target& b) { return a.seconds > b.seconds; });
  if (!targets_.empty()) latest_ = targets_.front().seconds;
  Known known;
  known.latest = latest_;
  known_.assign(static_cast<std::size_t>(num_states), known);
}

bool Deadlines::look_on(int state, double seconds) {
  Known& known = known_[static_cast<std::size_t>(state)];
  for (; known.num_targets < static_cast<int>(targets_.size()); ++known.num_targets) {
    const Target& target = targets_[static_cast<std::size_t>(known.num_targets)];
    known.latest = std::max(known.seconds, target.seconds);
    if (target.seconds < seconds) return false;
    const double least = direction_ == Direction::kFromAnchors ? bounds_->seconds(state, target.state)
                                                               : bounds_->seconds(target.state, state);
    known.seconds = std::max(known.seconds, target.seconds - least);
    if (seconds <= known.seconds) return true;
  }
  known.latest = known.seconds;
  return false;
}

}  // namespace meshmul
