#pragma once
// Cores and copy engines that ops take one after the other, first come, first served.

#include <cstdint>
#include <queue>
#include <vector>

#include "trace.hpp"

namespace meshmul::simulation {

/// A unit does so many ops at a time; what comes while it is busy queues.
class UnitQueues {
 public:
  explicit UnitQueues(const std::vector<std::uint32_t>& capacities) : free_(capacities), queues_(capacities.size()) {}

  /// Whether `op` may begin; else it queues.
  bool take(std::uint32_t unit, std::uint32_t op) {
    if (free_[unit] == 0) {
      queues_[unit].push(op);
      return false;
    }
    --free_[unit];
    return true;
  }

  /// An op of the unit has ended. Returns the one that may begin now, or kNobody.
  std::uint32_t release(std::uint32_t unit) {
    if (queues_[unit].empty()) {
      ++free_[unit];
      return kNobody;
    }
    const std::uint32_t next = queues_[unit].front();
    queues_[unit].pop();
    return next;
  }

 private:
  std::vector<std::uint32_t> free_;
  std::vector<std::queue<std::uint32_t>> queues_;
};

}  // namespace meshmul::simulation
