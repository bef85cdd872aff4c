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

/// dst[i] += src[i] for the accumulator dtypes f64, f32 and i32; i32 wraps.
void add_run(std::byte* dst, const std::byte* src, Dtype dtype, std::int64_t n,
             const CpuFeatures& cpu = cpu_features());

/// dst[i * dst_stride] = src[i * src_stride], elements of `element_bytes` bytes.
void move_run(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride, std::int64_t n,
              std::int64_t element_bytes);

}  // namespace meshmul
