#include "execute/cuda/gemm/tensor_map.hpp"

#include <cuda.h>

#include <cassert>
#include <cstring>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/driver.hpp"

namespace meshmul::cuda {
namespace {

CUtensorMapDataType data_type(Dtype element) {
  switch (element) {
    case Dtype::kF64: return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case Dtype::kF32: return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case Dtype::kBf16: return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case Dtype::kF16: return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case Dtype::kF8e4m3:
    case Dtype::kI8: return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case Dtype::kI32: return CU_TENSOR_MAP_DATA_TYPE_INT32;
  }
  __builtin_unreachable();
}

}  // namespace

TensorMap make_tensor_map(const DeviceMatrix& matrix, std::int64_t box_inner, std::int64_t box_outer) {
  assert(has_tensor_map(matrix));
  const std::int64_t bytes = size_bytes(matrix.element);
  const std::int64_t row_bytes = box_inner * bytes;
  assert(row_bytes == 32 || row_bytes == 64 || row_bytes == 128);
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(matrix.inner), static_cast<cuuint64_t>(matrix.outer)};
  const cuuint64_t strides[] = {static_cast<cuuint64_t>(matrix.row_stride * bytes)};
  const cuuint32_t box[] = {static_cast<cuuint32_t>(box_inner), static_cast<cuuint32_t>(box_outer)};
  const cuuint32_t steps[] = {1, 1};
  const CUtensorMapSwizzle swizzle = row_bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                     : row_bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                       : CU_TENSOR_MAP_SWIZZLE_32B;
  CUtensorMap map;
  check(driver().tensor_map_encode_tiled(&map, data_type(matrix.element), 2, const_cast<void*>(matrix.data), extents,
                                         strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                         CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        "describing a matrix to the copy engine");
  TensorMap result;
  static_assert(sizeof(result) == sizeof(map));
  std::memcpy(&result, &map, sizeof(map));
  return result;
}

}  // namespace meshmul::cuda
