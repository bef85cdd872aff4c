#pragma once
// The streams of a session, and the events by which a run begins and ends on all of them.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace meshmul::cuda {

/// An event of the device that was current when it was made.
class DeviceEvent {
 public:
  explicit DeviceEvent(bool timed);
  DeviceEvent(DeviceEvent&& other) noexcept;
  DeviceEvent& operator=(DeviceEvent&&) = delete;
  ~DeviceEvent();
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A stream of the device that was current when it was made.
class DeviceStream {
 public:
  explicit DeviceStream(bool urgent);
  DeviceStream(DeviceStream&& other) noexcept;
  DeviceStream& operator=(DeviceStream&&) = delete;
  ~DeviceStream();
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Which devices take part, and the device of each stream for products.
struct StreamLayout {
  std::vector<int> devices;
  std::vector<int> products;
};

/// A device has a stream that begins and ends its runs, and one for the tasks of its lanes, which is urgent: what they
/// bring is waited for.
class Streams {
 public:
  explicit Streams(StreamLayout layout);

  cudaStream_t tasks(std::size_t device) const { return tasks_[device].get(); }
  /// For what has nothing to wait for.
  cudaStream_t beside(std::size_t device) const { return beside_[device].get(); }
  cudaStream_t products(std::size_t stream) const { return products_[stream].get(); }

  /// All streams go on behind what the control of the first device has got so far, and behind what `begin(device,
  /// stream)` gives to the control of their device, by its number among the devices.
  void fork(const std::function<void(std::size_t, cudaStream_t)>& begin) const;
  /// The control of the first device goes on behind all others. Not before all work of a run is enqueued: streams may
  /// share queues, in which what ends a stream holds up what was enqueued behind it.
  void join() const;

  /// Notes when the control of the first device comes to this point.
  void note_begin() const;
  void note_end() const;
  /// Both have come. Seconds from the first to the second: of those noted last.
  bool has_ended() const;
  double seconds() const;

 private:
  std::size_t number_of(int device) const;

  StreamLayout layout_;
  std::vector<DeviceStream> control_, tasks_, beside_;  // by device
  std::vector<DeviceStream> products_;                  // by stream for products
  std::vector<DeviceEvent> started_, tasks_done_;       // by device
  std::vector<DeviceEvent> products_done_;              // by stream for products
  std::vector<DeviceEvent> begin_, end_;                // one each, of the first device: timed
};

}  // namespace meshmul::cuda
