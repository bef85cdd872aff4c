#include "loaded_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "execute/session_view.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/random.hpp"

namespace meshmul::measure {

LoadedSchedule::LoadedSchedule(const Schedule& schedule, const Executor& executor,
                               const std::function<bool()>& interrupted)
    : schedule_(legalize(schedule, executor.capabilities())) {
  prove(schedule_);
  ExecuteOptions options;
  options.interrupted = interrupted;
  session_ = executor.open(schedule_, options);
  for (const Holding& input : schedule_.contract.inputs) {
    const Box box = input.global.at_origin();
    fill_random(view_of(*session_, schedule_, input.region), box, box.shape(), {});
  }
}

double LoadedSchedule::run(std::int64_t times) {
  if (!schedule_.capabilities.barrier) return session_->run(times).seconds;
  double seconds = 0;
  for (std::int64_t i = 0; i < times; ++i) seconds += session_->run().seconds;
  return seconds;
}

// As fast as memory takes it: what the numbers are does not matter to a collective. None is infinite or too small to be
// normal.
void LoadedSchedule::rewrite_inputs(Team& team, int round) {
  team.run([&](int rank) {
    for (const Holding& input : schedule_.contract.inputs) {
      if (input.region.rank != rank) continue;
      const std::span<std::byte> bytes = session_->buffer(rank, input.region.buffer);
      std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(1 + round % 64));
    }
  });
}

}  // namespace meshmul::measure
