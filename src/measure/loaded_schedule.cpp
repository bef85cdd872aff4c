#include "loaded_schedule.hpp"

#include "execute/session_view.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/random.hpp"

namespace meshmul::measure {

LoadedSchedule::LoadedSchedule(const Schedule& schedule, const Executor& executor, const ExecuteOptions& options)
    : schedule_(legalize(schedule, executor.capabilities())) {
  prove(schedule_);
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

}  // namespace meshmul::measure
