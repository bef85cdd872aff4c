#include "execute/cuda/streams.hpp"

#include <algorithm>
#include <utility>

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

Streams::Streams(StreamLayout layout) : layout_(std::move(layout)) {
  for (const int device : layout_.devices) {
    const CurrentDevice current(device);
    control_.emplace_back(true);
    tasks_.emplace_back(true);
    beside_.emplace_back(true);
    started_.emplace_back(false);
    tasks_done_.emplace_back(false);
    if (begin_.empty()) {
      begin_.emplace_back(true);
      end_.emplace_back(true);
    }
  }
  for (const int device : layout_.products) {
    const CurrentDevice current(device);
    products_.emplace_back(false);
    products_done_.emplace_back(false);
  }
}

std::size_t Streams::number_of(int device) const {
  return static_cast<std::size_t>(std::ranges::find(layout_.devices, device) - layout_.devices.begin());
}

void Streams::fork(const std::function<void(std::size_t, cudaStream_t)>& begin) const {
  const CurrentDevice first(layout_.devices.front());
  check(cudaEventRecord(started_.front().get(), control_.front().get()), "beginning a run");
  for (std::size_t device = 1; device < control_.size(); ++device)
    check(cudaStreamWaitEvent(control_[device].get(), started_.front().get()), "beginning a run");
  for (std::size_t device = 0; device < control_.size(); ++device) {
    const CurrentDevice current(layout_.devices[device]);
    begin(device, control_[device].get());
    check(cudaEventRecord(started_[device].get(), control_[device].get()), "beginning a run");
    check(cudaStreamWaitEvent(tasks_[device].get(), started_[device].get()), "beginning a run");
  }
  for (std::size_t stream = 0; stream < products_.size(); ++stream)
    check(cudaStreamWaitEvent(products_[stream].get(), started_[number_of(layout_.products[stream])].get()),
          "beginning a run");
}

void Streams::join() const {
  const auto end = [&](int device, const DeviceStream& stream, const DeviceEvent& done) {
    const CurrentDevice current(device);
    check(cudaEventRecord(done.get(), stream.get()), "ending a run");
    check(cudaStreamWaitEvent(control_.front().get(), done.get()), "ending a run");
  };
  for (std::size_t stream = 0; stream < products_.size(); ++stream)
    end(layout_.products[stream], products_[stream], products_done_[stream]);
  for (std::size_t device = 0; device < tasks_.size(); ++device) {
    end(layout_.devices[device], tasks_[device], tasks_done_[device]);
    // Its control too: a device may have had nothing else to do.
    if (device > 0) end(layout_.devices[device], control_[device], started_[device]);
  }
}

void Streams::note_begin() const {
  const CurrentDevice current(layout_.devices.front());
  check(cudaEventRecord(begin_.front().get(), control_.front().get()), "noting the time");
}

void Streams::note_end() const {
  const CurrentDevice current(layout_.devices.front());
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
