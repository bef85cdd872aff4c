#pragma once
// Notes when the ops of a run take place, one event after the other.

#include <cstdint>
#include <vector>

#include "../cpu/control.hpp"
#include "machine.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul {

class OpRecorder {
 public:
  explicit OpRecorder(const Schedule& schedule);

  /// Every lane comes to its first op.
  void begin_run();
  /// Before `choice` happens on `machine`.
  void before(const Choice& choice, const Machine& machine);
  /// After that. A put or get ends with its last piece.
  void after();

  Timeline timeline() const;

 private:
  struct LaneTimes {
    std::vector<OpTimes> ops;
    std::int64_t arrived_nanoseconds = 0;
  };

  LaneTimes& lane(const OpPlace& place) {
    return lanes_[static_cast<std::size_t>(place.rank)][static_cast<std::size_t>(place.lane)];
  }

  const Schedule& schedule_;
  std::vector<std::vector<LaneTimes>> lanes_;  // by rank
  OpPlace current_;
  bool is_piece_ = false;
};

}  // namespace meshmul
