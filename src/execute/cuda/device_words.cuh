#pragma once
// Words of memory that devices and the host share, as a thread of a device reads and writes them.

#include <cstdint>

#include "execute/cuda/gemm/ptx.cuh"

namespace meshmul::cuda {

struct DeviceWords {
  __device__ std::uint64_t load_acquire(const std::uint64_t* word) const { return ptx::load_acquire_system(word); }
  __device__ std::uint64_t load(const std::uint64_t* word) const { return ptx::load_relaxed_system(word); }
  __device__ std::uint32_t load(const std::uint32_t* word) const { return ptx::load_relaxed_system(word); }
  __device__ void raise_release(std::uint64_t* word, std::uint64_t value) const {
    ptx::raise_release_system(word, value);
  }
  __device__ std::uint32_t fetch_add(std::uint32_t* word, std::uint32_t value) const { return atomicAdd(word, value); }
  __device__ std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t value) const {
    return atomicAdd(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
  }
  __device__ std::uint32_t compare_and_swap(std::uint32_t* word, std::uint32_t expected, std::uint32_t value) const {
    return atomicCAS_system(word, expected, value);
  }
  __device__ std::uint64_t compare_and_swap(std::uint64_t* word, std::uint64_t expected, std::uint64_t value) const {
    return atomicCAS(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(expected),
                     static_cast<unsigned long long>(value));
  }
  /// Orders all before it before all behind it, for everybody.
  __device__ void fence() const { __threadfence_system(); }
  __device__ void pause() const { __nanosleep(32); }
  __device__ std::uint64_t nanoseconds() const { return ptx::nanoseconds(); }
};

}  // namespace meshmul::cuda
