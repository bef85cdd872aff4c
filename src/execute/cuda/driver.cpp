#include "execute/cuda/driver.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "meshmul/error.hpp"

namespace meshmul::cuda {
namespace {

template <class Function>
void find(Function& function, const char* name, unsigned version) {
  void* pointer = nullptr;
  cudaDriverEntryPointQueryResult status{};
  const cudaError_t result = cudaGetDriverEntryPointByVersion(name, &pointer, version, cudaEnableDefault, &status);
  if (result != cudaSuccess || status != cudaDriverEntryPointSuccess || pointer == nullptr) {
    cudaGetLastError();
    throw Error(ErrorCode::kUnsupported,
                fmt::format("the CUDA driver has no {} of CUDA {}.{}: {}", name, version / 1000, version % 1000 / 10,
                            result == cudaSuccess ? "it is too old" : cudaGetErrorString(result)));
  }
  function = reinterpret_cast<Function>(pointer);
}

Driver find_all() {
  Driver driver;
  find(driver.get_error_name, "cuGetErrorName", 6000);
  find(driver.get_error_string, "cuGetErrorString", 6000);
  find(driver.tensor_map_encode_tiled, "cuTensorMapEncodeTiled", 12000);
  find(driver.stream_write_value, "cuStreamWriteValue64", 11070);
  find(driver.mem_address_reserve, "cuMemAddressReserve", 10020);
  find(driver.mem_address_free, "cuMemAddressFree", 10020);
  find(driver.mem_create, "cuMemCreate", 10020);
  find(driver.mem_release, "cuMemRelease", 10020);
  find(driver.mem_map, "cuMemMap", 10020);
  find(driver.mem_unmap, "cuMemUnmap", 10020);
  find(driver.mem_set_access, "cuMemSetAccess", 10020);
  find(driver.mem_get_allocation_granularity, "cuMemGetAllocationGranularity", 10020);
  find(driver.mem_export_to_shareable_handle, "cuMemExportToShareableHandle", 10020);
  find(driver.mem_import_from_shareable_handle, "cuMemImportFromShareableHandle", 10020);
  find(driver.device_get_attribute, "cuDeviceGetAttribute", 2000);
  return driver;
}

}  // namespace

const Driver& driver() {
  static const Driver all = find_all();
  return all;
}

}  // namespace meshmul::cuda
