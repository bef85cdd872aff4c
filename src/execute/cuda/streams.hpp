#pragma once
// The streams of all lanes, and the events by which a run begins and ends on all of them.

#include <cuda_runtime_api.h>

#include <functional>
#include <vector>

#include "meshmul/schedule.hpp"

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

/// One stream a lane, and one a rank that begins and ends its runs. Lanes without products are urgent: what they bring
/// is waited for.
class Streams {
 public:
  Streams(const Schedule& schedule, const std::vector<int>& devices);

  cudaStream_t lane(int rank, int lane) const;
  cudaStream_t control(int rank) const { return control_[static_cast<std::size_t>(rank)].get(); }

  /// All lanes go on behind what the stream of control of rank 0 has got so far, and behind what `begin_of_rank(rank,
  /// stream)` gives to that of their rank.
  void fork(const std::function<void(int, cudaStream_t)>& begin_of_rank) const;
  /// The stream of control of rank 0 goes on behind all others.
  void join() const;

  /// Notes when the stream of control of rank 0 comes to this point.
  void note_begin() const;
  void note_end() const;
  /// Both have come. Seconds from the first to the second: of those noted last.
  bool has_ended() const;
  double seconds() const;

 private:
  std::vector<int> devices_;
  std::vector<DeviceStream> control_;             // by rank
  std::vector<std::vector<DeviceStream>> lanes_;  // by rank
  std::vector<DeviceEvent> started_;              // by rank: the run has begun there
  std::vector<std::vector<DeviceEvent>> done_;    // by rank and lane
  std::vector<DeviceEvent> begin_, end_;          // one each, of the device of rank 0: timed
};

}  // namespace meshmul::cuda
