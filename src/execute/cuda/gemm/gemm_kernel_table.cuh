#pragma once
// Entries of the table of kernels; each element type is compiled by a file of its own.

#include <vector>

#include "execute/cuda/gemm/gemm_kernel.cuh"
#include "execute/cuda/gemm/gemm_kernels.hpp"

namespace meshmul::cuda {

template <Dtype kElement, Major kA, Major kB, int kTileN>
GemmKernel gemm_kernel_entry() {
  using Shape = GemmShape<kElement, kA, kB, kTileN>;
  return {.key = {.element = kElement,
                  .a_rows_together = kA == Major::kOuter,
                  .b_columns_together = kB == Major::kOuter,
                  .tile_n = kTileN},
          .function = reinterpret_cast<const void*>(&gemm_kernel<Shape>),
          .shared_bytes = Shape::kSharedBytes};
}

template <Dtype kElement, int kTileN>
void add_all_majors(std::vector<GemmKernel>& table) {
  table.push_back(gemm_kernel_entry<kElement, Major::kContracted, Major::kContracted, kTileN>());
  table.push_back(gemm_kernel_entry<kElement, Major::kContracted, Major::kOuter, kTileN>());
  table.push_back(gemm_kernel_entry<kElement, Major::kOuter, Major::kContracted, kTileN>());
  table.push_back(gemm_kernel_entry<kElement, Major::kOuter, Major::kOuter, kTileN>());
}

}  // namespace meshmul::cuda
