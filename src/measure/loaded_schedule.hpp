#pragma once
// A schedule on a backend whose inputs are there, to be run again and again.

#include <cstdint>
#include <memory>

#include "meshmul/execute.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul::measure {

class LoadedSchedule {
 public:
  /// Legalizes `schedule`, proves it, opens it and fills its inputs with random numbers. Throws as Executor::open does.
  LoadedSchedule(const Schedule& schedule, const Executor& executor, const ExecuteOptions& options);

  /// Runs it so often, in one go where the schedule needs no barrier. Returns the seconds from the first rank's start to the
  /// last rank's end, of all runs together. Throws as Session::run does.
  double run(std::int64_t times = 1);

  /// The bytes that a run moves from rank to rank.
  std::int64_t bytes_moved() const { return bytes_between_ranks(schedule_); }

 private:
  Schedule schedule_;
  std::unique_ptr<Session> session_;
};

}  // namespace meshmul::measure
