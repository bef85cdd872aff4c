#pragma once
// The functions of the CUDA driver that the runtime has no wrapper for. They are asked of the driver at run time, so
// that a program with this backend starts on a machine without one.

#include <cuda.h>

namespace meshmul::cuda {

struct Driver {
  decltype(&cuGetErrorName) get_error_name = nullptr;
  decltype(&cuGetErrorString) get_error_string = nullptr;
  decltype(&cuTensorMapEncodeTiled) tensor_map_encode_tiled = nullptr;
  decltype(&cuStreamWriteValue64) stream_write_value = nullptr;
  decltype(&cuMemAddressReserve) mem_address_reserve = nullptr;
  decltype(&cuMemAddressFree) mem_address_free = nullptr;
  decltype(&cuMemCreate) mem_create = nullptr;
  decltype(&cuMemRelease) mem_release = nullptr;
  decltype(&cuMemMap) mem_map = nullptr;
  decltype(&cuMemUnmap) mem_unmap = nullptr;
  decltype(&cuMemSetAccess) mem_set_access = nullptr;
  decltype(&cuMemGetAllocationGranularity) mem_get_allocation_granularity = nullptr;
  decltype(&cuMemExportToShareableHandle) mem_export_to_shareable_handle = nullptr;
  decltype(&cuMemImportFromShareableHandle) mem_import_from_shareable_handle = nullptr;
  decltype(&cuDeviceGetAttribute) device_get_attribute = nullptr;
};

/// Throws Error(kUnsupported) naming the first function that the driver lacks, or that there is no driver.
const Driver& driver();

}  // namespace meshmul::cuda
