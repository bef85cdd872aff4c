#include "timing.hpp"

#include <algorithm>
#include <cstddef>

#include "measure/estimate.hpp"

using meshmul::cuda::check;

double median(std::vector<double> values) { return meshmul::measure::estimate(std::move(values)).median; }

std::pair<double, double> tenths(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t tenth = values.size() / 10;
  return {values[tenth], values[values.size() - 1 - tenth]};
}

double microseconds_between(const meshmul::cuda::DeviceEvent& begin, const meshmul::cuda::DeviceEvent& end) {
  check(cudaEventSynchronize(end.get()), "multiplying");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "taking the time");
  return 1e3 * static_cast<double>(milliseconds);
}
