#pragma once
// Entries of the table of kernels; each element type is compiled by a file of its own.

#include <vector>

#include "execute/cuda/gemm/gemm_kernel.cuh"
#include "execute/cuda/gemm/gemm_kernels.hpp"

namespace meshmul::cuda {

/// With and without epilogues. `kFastSums`: of f8e4m3.
template <Dtype kElement, Major kA, Major kB, int kTileN, bool kFastSums = false>
void add_kernels(std::vector<GemmKernel>& table) {
  using Shape = GemmShape<kElement, kA, kB, kTileN, kElement == Dtype::kF8e4m3 && !kFastSums>;
  const auto add = [&](bool epilogue, const void* function) {
    table.push_back({.key = {.element = kElement,
                             .a_rows_together = kA == Major::kOuter,
                             .b_columns_together = kB == Major::kOuter,
                             .tile_n = kTileN,
                             .fast_sums = kFastSums,
                             .epilogue = epilogue},
                     .function = function,
                     .shared_bytes = Shape::kSharedBytes});
  };
  add(false, reinterpret_cast<const void*>(&gemm_kernel<Shape, false>));
  add(true, reinterpret_cast<const void*>(&gemm_kernel<Shape, true>));
}

template <Dtype kElement, int kTileN>
void add_all_majors(std::vector<GemmKernel>& table) {
  add_kernels<kElement, Major::kContracted, Major::kContracted, kTileN>(table);
  add_kernels<kElement, Major::kContracted, Major::kOuter, kTileN>(table);
  add_kernels<kElement, Major::kOuter, Major::kContracted, kTileN>(table);
  add_kernels<kElement, Major::kOuter, Major::kOuter, kTileN>(table);
}

}  // namespace meshmul::cuda
