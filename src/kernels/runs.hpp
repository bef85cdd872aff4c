#pragma once
// Work on contiguous runs of elements, in vectors as wide as the CPU has.

#include <cstddef>
#include <cstdint>

#include "cpu_features.hpp"
#include "meshmul/dtype.hpp"

namespace meshmul {

/// dst[i] = src[i] converted by `convert` of element.hpp, i < n. The runs do not overlap.
void convert_run(std::byte* dst, Dtype to, const std::byte* src, Dtype from, std::int64_t n,
                 const CpuFeatures& cpu = cpu_features());

/// dst[i] += src[i] in the accumulator dtype, rounded once; integers wrap.
void add_run(std::byte* dst, const std::byte* src, Dtype dtype, std::int64_t n,
             const CpuFeatures& cpu = cpu_features());

/// dst[i] = a[i] + b[i] as add_run would add them. The runs do not overlap.
void sum_run(std::byte* dst, const std::byte* a, const std::byte* b, Dtype dtype, std::int64_t n,
             const CpuFeatures& cpu = cpu_features());

/// dst[i * dst_stride] = src[i * src_stride], elements of `element_bytes` bytes.
void move_run(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride, std::int64_t n,
              std::int64_t element_bytes);

/// A matrix turned: tile[i][j] = src[j * stride + i] for i < rows, j < columns, both at most 64 / element_bytes. A row of
/// the tile has 64 bytes.
void transpose_tile(std::byte* tile, const std::byte* src, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                    std::int64_t element_bytes);

}  // namespace meshmul
