#include "execute/cuda/step_times.hpp"

#include <algorithm>
#include <variant>

#include "execute/cpu/measured_timeline.hpp"
#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {
namespace {

std::int64_t nanoseconds_between(cudaEvent_t from, cudaEvent_t to) {
  constexpr double kNanosecondsPerMillisecond = 1e6;
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, from, to), "taking the time of an op");
  return static_cast<std::int64_t>(static_cast<double>(milliseconds) * kNanosecondsPerMillisecond);
}

}  // namespace

StepTimes::StepTimes(const std::vector<Step>& steps, const WorldMemory& memory) : steps_(steps), memory_(memory) {
  for (const Step& step : steps) {
    const int device = memory.device(step.launch.rank);
    const CurrentDevice current(device);
    if (!begin_.contains(device)) begin_.emplace(device, DeviceEvent(true));
    step_begin_.emplace_back(true);
    step_end_.emplace_back(true);
  }
}

void StepTimes::note_begin(int rank, cudaStream_t stream) const {
  const auto event = begin_.find(memory_.device(rank));
  if (event != begin_.end()) check(cudaEventRecord(event->second.get(), stream), "noting the time");
}

void StepTimes::note_step_begin(std::size_t step, cudaStream_t stream) const {
  check(cudaEventRecord(step_begin_[step].get(), stream), "noting the time");
}

void StepTimes::note_step_end(std::size_t step, cudaStream_t stream) const {
  check(cudaEventRecord(step_end_[step].get(), stream), "noting the time");
}

Timeline StepTimes::timeline(const Schedule& schedule) const {
  // By rank, the ops of its lanes one lane after the other.
  std::vector<std::vector<OpTimes>> times;
  std::vector<std::vector<std::size_t>> first_of_lane;
  for (const RankProgram& rank : schedule.ranks) {
    std::vector<std::size_t>& first = first_of_lane.emplace_back();
    std::size_t num_ops = 0;
    for (const Lane& lane : rank.lanes) {
      first.push_back(num_ops);
      num_ops += lane.ops.size();
    }
    times.emplace_back(num_ops);
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Launch& launch = steps_[i].launch;
    const auto rank = static_cast<std::size_t>(launch.rank), lane = static_cast<std::size_t>(launch.lane);
    const CurrentDevice current(memory_.device(launch.rank));
    const cudaEvent_t origin = begin_.at(memory_.device(launch.rank)).get();
    const std::int64_t begin = nanoseconds_between(origin, step_begin_[i].get());
    const std::int64_t end = std::max(begin, nanoseconds_between(origin, step_end_[i].get()));
    bool multiplied = false;
    for (int op = 0; op < launch.num_ops; ++op) {
      const auto number = static_cast<std::size_t>(launch.first_op + op);
      const bool first_product =
          !multiplied &&
          (!launch.products || std::holds_alternative<Gemm>(schedule.ranks[rank].lanes[lane].ops[number]));
      times[rank][first_of_lane[rank][lane] + number] = {multiplied ? end : begin,
                                                         multiplied || first_product ? end : begin};
      multiplied = multiplied || first_product;
    }
  }
  return measured_timeline(schedule,
                           [&](int rank) { return std::span<const OpTimes>(times[static_cast<std::size_t>(rank)]); });
}

}  // namespace meshmul::cuda
