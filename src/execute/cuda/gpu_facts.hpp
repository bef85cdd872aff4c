#pragma once
// What figures measured on a GPU are given with.

#include <optional>
#include <string>

namespace meshmul::cuda {

struct GpuFacts {
  std::string name;            ///< `NVIDIA H200`
  int count = 0;               ///< of GPUs that the program sees
  int driver_cuda = 0;         ///< CUDA of the driver: 13000 is 13.0
  int runtime_cuda = 0;        ///< CUDA that the program was built with
  int sm_clock_limit_mhz = 0;  ///< the highest there is; work that takes much power runs slower
  int memory_clock_limit_mhz = 0;
  /// By NVML, where it is installed.
  std::optional<std::string> driver;
  std::optional<double> power_limit_watts;
};

/// Of the first GPU; nothing if there is none. Throws as `check` does.
std::optional<GpuFacts> gpu_facts();

}  // namespace meshmul::cuda
