#pragma once
// What entries of lanes knew to be over when their waits had passed, as vector clocks. All clocks of a large schedule would
// not fit into memory, so only the latest are kept.

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace meshmul {

/// How many entries of each lane are over, by column of the lane. What is beyond the end counts as 0.
using Clock = std::vector<int>;

/// The larger of each component.
void merge(Clock& into, const Clock& from);

class Clocks {
 public:
  /// Keeps clocks of at most `max_bytes` together, and the latest one.
  explicit Clocks(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// The clock of the entry that is number `num_added()` of all. Clocks of earlier ones go if there are too many.
  void add(std::shared_ptr<const Clock> clock);
  int num_added() const { return num_dropped_ + static_cast<int>(kept_.size()); }
  /// The clock of entry number `serial` of all; null if it is no longer kept.
  std::shared_ptr<const Clock> find(int serial) const;

 private:
  std::size_t max_bytes_;
  std::size_t num_bytes_ = 0;  // a clock that several entries share counts for each
  int num_dropped_ = 0;
  std::deque<std::shared_ptr<const Clock>> kept_;
};

}  // namespace meshmul
