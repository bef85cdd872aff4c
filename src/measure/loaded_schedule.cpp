#include "loaded_schedule.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "execute/session_view.hpp"
#include "meshmul/compile.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/random.hpp"

namespace meshmul::measure {
namespace {

/// On all cores: the inputs of many ranks on a GPU are gigabytes.
void fill_inputs(Session& session, const Schedule& schedule) {
  const std::vector<Holding>& inputs = schedule.contract.inputs;
  std::vector<View> views;
  for (const Holding& input : inputs) views.push_back(view_of(session, schedule, input.region));
  std::atomic<std::size_t> next = 0;
  const auto fill = [&] {
    for (std::size_t i = next++; i < views.size(); i = next++) {
      const Box box = inputs[i].global.at_origin();
      fill_random(views[i], box, box.shape(), {});
    }
  };
  std::vector<std::jthread> others;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, views.size()); ++i) others.emplace_back(fill);
  fill();
}

}  // namespace

LoadedSchedule::LoadedSchedule(const Schedule& schedule, const Executor& executor, const ExecuteOptions& options)
    : schedule_(legalize(schedule, executor.capabilities())) {
  prove(schedule_);
  session_ = executor.open(schedule_, options);
  fill_inputs(*session_, schedule_);
}

double LoadedSchedule::run(std::int64_t times) {
  if (!schedule_.capabilities.barrier) return session_->run(times).seconds;
  double seconds = 0;
  for (std::int64_t i = 0; i < times; ++i) seconds += session_->run().seconds;
  return seconds;
}

}  // namespace meshmul::measure
