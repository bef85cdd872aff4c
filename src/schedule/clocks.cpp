#include "clocks.hpp"

#include <algorithm>
#include <utility>

namespace meshmul {
namespace {

std::size_t num_bytes(const Clock& clock) { return sizeof(Clock) + clock.size() * sizeof(int); }

}  // namespace

void merge(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  int* mine = into.data();
  const int* theirs = from.data();
  for (std::size_t i = 0; i < from.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
}

void Clocks::add(std::shared_ptr<const Clock> clock) {
  num_bytes_ += num_bytes(*clock);
  kept_.push_back(std::move(clock));
  while (num_bytes_ > max_bytes_ && kept_.size() > 1) {
    num_bytes_ -= num_bytes(*kept_.front());
    kept_.pop_front();
    ++num_dropped_;
  }
}

std::shared_ptr<const Clock> Clocks::find(int serial) const {
  if (serial < num_dropped_ || serial >= num_added()) return nullptr;
  return kept_[static_cast<std::size_t>(serial - num_dropped_)];
}

}  // namespace meshmul
