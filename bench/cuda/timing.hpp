#pragma once
// Times of the device, and of two things in turn.

#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/streams.hpp"

double median(std::vector<double> values);

/// Times of two calls in turn, and their ratios: of the first over the second.
struct Pairs {
  std::vector<double> first_us, second_us, ratios;
  void add(double first, double second) {
    first_us.push_back(first);
    second_us.push_back(second);
    ratios.push_back(first / second);
  }
};

/// The value below which are a tenth of all, and that above which are as many.
std::pair<double, double> tenths(std::vector<double> values);

/// Microseconds between two events, once the second has come.
double microseconds_between(const meshmul::cuda::DeviceEvent& begin, const meshmul::cuda::DeviceEvent& end);

/// Times calls on a stream, in us.
class StopWatch {
 public:
  explicit StopWatch(cudaStream_t stream) : stream_(stream) {}
  template <class Call>
  double operator()(Call call) const {
    meshmul::cuda::check(cudaEventRecord(begin_.get(), stream_), "noting the time");
    call();
    meshmul::cuda::check(cudaEventRecord(end_.get(), stream_), "noting the time");
    return microseconds_between(begin_, end_);
  }

 private:
  cudaStream_t stream_;
  meshmul::cuda::DeviceEvent begin_{true}, end_{true};
};
