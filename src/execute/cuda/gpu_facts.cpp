#include "execute/cuda/gpu_facts.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>

#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {
namespace {

constexpr int kKiloPerMega = 1000;

int clock_mhz(cudaDeviceAttr attribute) {
  int kilohertz = 0;
  check(cudaDeviceGetAttribute(&kilohertz, attribute, 0), "asking for clocks");
  return kilohertz / kKiloPerMega;
}

/// NVML comes with the driver, its header only with some toolkits. What it cannot say stays unknown.
void ask_nvml(GpuFacts& facts) {
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  const auto find = [library]<class Function>(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    return function != nullptr;
  };
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_by_bus)(const char*, void**) = nullptr;
  int (*power_limit)(void*, unsigned*) = nullptr;
  if (find(init, "nvmlInit_v2") && find(shutdown, "nvmlShutdown") && init() == 0) {
    std::array<char, 96> text{};
    if (find(driver_version, "nvmlSystemGetDriverVersion") && driver_version(text.data(), text.size()) == 0)
      facts.driver = text.data();
    void* device = nullptr;
    unsigned milliwatts = 0;
    constexpr double kWattsPerMilliwatt = 1e-3;
    // By its place on the bus: programs may see other GPUs than NVML does, in another order.
    if (find(device_by_bus, "nvmlDeviceGetHandleByPciBusId_v2") &&
        find(power_limit, "nvmlDeviceGetPowerManagementLimit") &&
        cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), 0) == cudaSuccess &&
        device_by_bus(text.data(), &device) == 0 && power_limit(device, &milliwatts) == 0)
      facts.power_limit_watts = kWattsPerMilliwatt * milliwatts;
    shutdown();
  }
  dlclose(library);
}

}  // namespace

std::optional<GpuFacts> gpu_facts() {
  GpuFacts facts;
  if (cudaGetDeviceCount(&facts.count) != cudaSuccess || facts.count == 0) {
    cudaGetLastError();
    return std::nullopt;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "asking the device");
  facts.name = properties.name;
  check(cudaDriverGetVersion(&facts.driver_cuda), "asking the driver");
  check(cudaRuntimeGetVersion(&facts.runtime_cuda), "asking the runtime");
  facts.sm_clock_limit_mhz = clock_mhz(cudaDevAttrClockRate);
  facts.memory_clock_limit_mhz = clock_mhz(cudaDevAttrMemoryClockRate);
  ask_nvml(facts);
  return facts;
}

}  // namespace meshmul::cuda
