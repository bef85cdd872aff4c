#pragma once
// Data that benchmarks on the device multiply, and how they compare results.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "meshmul/dtype.hpp"

/// Standard normal numbers in bf16 or f8e4m3, by `seed` and index alone.
void fill_normal(void* data, meshmul::Dtype dtype, std::int64_t count, std::uint64_t seed, cudaStream_t stream);

/// *worst = the largest difference of two bf16 arrays; infinite if one of them is not a number. *worst must be 0
/// before.
void largest_difference(const void* a, const void* b, std::int64_t count, float* worst, cudaStream_t stream);

/// *different = how many of `count` elements of 16 bits differ in their bits. *different must be 0 before.
void count_different(const void* a, const void* b, std::int64_t count, unsigned long long* different,
                     cudaStream_t stream);
