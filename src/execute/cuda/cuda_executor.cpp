#include "execute/cuda/cuda_executor.hpp"

#include <cuda_runtime_api.h>

#include <vector>

#include "execute/cuda/cuda_session.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/placement.hpp"
#include "execute/registry.hpp"

namespace meshmul {
namespace {

using cuda::check;

/// The devices whose instructions the kernels are made of.
std::vector<int> find_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<int> devices;
  for (int device = 0; device < count; ++device) {
    int major = 0, minor = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for devices");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "asking for devices");
    if (major == 9 && minor == 0) devices.push_back(device);
  }
  return devices;
}

const std::vector<int>& devices() {
  static const std::vector<int> found = find_devices();
  return found;
}

}  // namespace

bool CudaExecutor::is_usable() { return !devices().empty(); }

std::unique_ptr<Session> CudaExecutor::open(Schedule schedule, const ExecuteOptions& options) const {
  refuse_missing_executor(name());
  std::vector<int> of_ranks;
  for (const int gpu :
       cuda::place_ranks(schedule.num_ranks(), static_cast<int>(devices().size()), options.ranks_per_gpu))
    of_ranks.push_back(devices()[static_cast<std::size_t>(gpu)]);
  return std::make_unique<cuda::CudaSession>(std::move(schedule), options, std::move(of_ranks));
}

}  // namespace meshmul
