#include "execute/cuda/streams.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {

DeviceEvent::DeviceEvent(bool timed) {
  check(cudaEventCreateWithFlags(&event_, timed ? cudaEventDefault : cudaEventDisableTiming), "making an event");
}
DeviceEvent::DeviceEvent(DeviceEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
DeviceEvent::~DeviceEvent() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

DeviceStream::DeviceStream(bool urgent) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities of streams");
  check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, urgent ? greatest : least), "making a stream");
}
DeviceStream::DeviceStream(DeviceStream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
DeviceStream::~DeviceStream() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

Streams::Streams(const Schedule& schedule, const std::vector<int>& devices) : devices_(devices) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const CurrentDevice current(devices[static_cast<std::size_t>(rank)]);
    control_.emplace_back(true);
    started_.emplace_back(false);
    lanes_.emplace_back();
    done_.emplace_back();
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes) {
      const bool multiplies =
          std::ranges::any_of(lane.ops, [](const Op& op) { return std::holds_alternative<Gemm>(op); });
      lanes_.back().emplace_back(!multiplies);
      done_.back().emplace_back(false);
    }
    if (rank == 0) {
      begin_.emplace_back(true);
      end_.emplace_back(true);
    }
  }
}

cudaStream_t Streams::lane(int rank, int lane) const {
  return lanes_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(lane)].get();
}

void Streams::fork(const std::function<void(int, cudaStream_t)>& begin_of_rank) const {
  {
    const CurrentDevice current(devices_.front());
    check(cudaEventRecord(started_.front().get(), control_.front().get()), "beginning a run");
  }
  for (std::size_t rank = 0; rank < control_.size(); ++rank) {
    const CurrentDevice current(devices_[rank]);
    if (rank > 0) check(cudaStreamWaitEvent(control_[rank].get(), started_.front().get()), "beginning a run");
  }
  for (std::size_t rank = 0; rank < control_.size(); ++rank) {
    const CurrentDevice current(devices_[rank]);
    begin_of_rank(static_cast<int>(rank), control_[rank].get());
    check(cudaEventRecord(started_[rank].get(), control_[rank].get()), "beginning a run");
    for (const DeviceStream& lane : lanes_[rank])
      check(cudaStreamWaitEvent(lane.get(), started_[rank].get()), "beginning a run");
  }
}

void Streams::join() const {
  for (std::size_t rank = 0; rank < lanes_.size(); ++rank) {
    const CurrentDevice current(devices_[rank]);
    for (std::size_t lane = 0; lane < lanes_[rank].size(); ++lane) {
      check(cudaEventRecord(done_[rank][lane].get(), lanes_[rank][lane].get()), "ending a run");
      check(cudaStreamWaitEvent(control_.front().get(), done_[rank][lane].get()), "ending a run");
    }
    if (rank == 0) continue;
    check(cudaEventRecord(started_[rank].get(), control_[rank].get()), "ending a run");
    check(cudaStreamWaitEvent(control_.front().get(), started_[rank].get()), "ending a run");
  }
}

void Streams::note_begin() const {
  const CurrentDevice current(devices_.front());
  check(cudaEventRecord(begin_.front().get(), control_.front().get()), "noting the time");
}

void Streams::note_end() const {
  const CurrentDevice current(devices_.front());
  check(cudaEventRecord(end_.front().get(), control_.front().get()), "noting the time");
}

bool Streams::has_ended() const {
  const cudaError_t result = cudaEventQuery(end_.front().get());
  if (result == cudaErrorNotReady) return false;
  check(result, "running a schedule");
  return true;
}

double Streams::seconds() const {
  constexpr double kSecondsPerMillisecond = 1e-3;
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin_.front().get(), end_.front().get()), "taking the time of a run");
  return milliseconds * kSecondsPerMillisecond;
}

}  // namespace meshmul::cuda
