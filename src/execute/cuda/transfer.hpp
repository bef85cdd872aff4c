#pragma once
// Copies by the copy engines of the devices, which take no multiprocessor.

#include <cuda_runtime_api.h>

#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// Whether a copy engine can do `dst = src`: one dtype, and rows that lie together, all equally far apart.
bool is_engine_copy(const View& dst, const ConstView& src);

/// Requires `is_engine_copy`. Views of no element are left alone.
void engine_copy(const View& dst, const ConstView& src, cudaStream_t stream);

}  // namespace meshmul::cuda
