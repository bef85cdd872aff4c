#pragma once
// The instructions of a Hopper multiprocessor that C++ has no words for: barriers in shared memory, the tensor copy
// engine, clusters, fences. Names are those of the PTX manual.

#include <cstdint>

#include "execute/cuda/gemm/gemm_work.hpp"

namespace meshmul::cuda::ptx {

/// The address of shared memory in the window that PTX instructions take.
__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Number of this thread in its warp. Read anew where it is asked for, rather than kept in a register.
__device__ inline std::int32_t lane() {
  std::int32_t lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// Barriers in shared memory -------------------------------------------------------------------------------------------------

__device__ inline void mbarrier_init(std::uint32_t barrier, std::uint32_t arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// Makes initialised barriers visible to the other block of the cluster and to the copy engine.
__device__ inline void fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

/// Arrives, and says how many bytes of the phase the copy engine will bring.
__device__ inline void mbarrier_arrive_expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// Arrives at the barrier at the same place in block `block` of the cluster. Releases ordinary memory to this block
/// alone: a release to the cluster is a fence of the whole device, which takes a thousand cycles, and what the copy
/// engine writes next was read by products that are done.
__device__ inline void mbarrier_arrive_at(std::uint32_t barrier, std::uint32_t block) {
  asm volatile(
      "{\n\t"
      ".reg .b32 remote;\n\t"
      "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n\t"
      "}" ::"r"(barrier),
      "r"(block)
      : "memory");
}

/// Returns once the phase of this parity is complete.
__device__ inline void mbarrier_wait(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred done;\n\t"
      "again:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@done bra over;\n\t"
      "bra again;\n\t"
      "over:\n\t"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// A barrier of `threads` threads of a block; `id` from 1 to 15.
__device__ inline void named_barrier(std::uint32_t id, std::uint32_t threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// Clusters ------------------------------------------------------------------------------------------------------------------

__device__ inline std::uint32_t block_in_cluster() {
  std::uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ inline std::uint32_t blocks_in_cluster() {
  std::uint32_t count;
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  return count;
}

__device__ inline void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The tensor copy engine ----------------------------------------------------------------------------------------------------

__device__ inline void prefetch_map(const TensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/// Loads the box at (`inner`, `outer`) into shared memory; its bytes count at `barrier`. What lies outside the tensor
/// is 0.
__device__ inline void load_box(std::uint32_t destination, const TensorMap* map, std::uint32_t barrier,
                                std::int32_t inner, std::int32_t outer) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::
          "r"(destination),
      "l"(map), "r"(barrier), "r"(inner), "r"(outer)
      : "memory");
}

/// The same into each block of the cluster whose bit is set in `blocks`, at the same place, and at its own barrier
/// there.
__device__ inline void load_box_to_blocks(std::uint32_t destination, const TensorMap* map, std::uint32_t barrier,
                                          std::int32_t inner, std::int32_t outer, std::uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(destination),
      "l"(map), "r"(barrier), "r"(inner), "r"(outer), "h"(blocks)
      : "memory");
}

/// Stores a box from shared memory; what lies outside the tensor is left out.
__device__ inline void store_box(const TensorMap* map, std::uint32_t source, std::int32_t inner, std::int32_t outer) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(source), "r"(inner), "r"(outer)
               : "memory");
}

__device__ inline void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/// Until all but the last `kLeft` groups of stores have read their shared memory.
template <int kLeft>
__device__ inline void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLeft) : "memory");
}

/// Until all stores are written.
__device__ inline void wait_stores_written() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

// Fences --------------------------------------------------------------------------------------------------------------------

/// What this thread has seen or written becomes visible to the copy engine, and the other way round.
__device__ inline void fence_copy_engine() { asm volatile("fence.proxy.async;" ::: "memory"); }

/// The same of shared memory alone.
__device__ inline void fence_copy_engine_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Memory that others see ----------------------------------------------------------------------------------------------------

__device__ inline std::uint64_t load_acquire_system(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

__device__ inline std::uint64_t load_relaxed_system(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

__device__ inline std::uint32_t load_relaxed_system(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

/// *word = max(*word, value), after all that this thread has seen and done.
__device__ inline void raise_release_system(std::uint64_t* word, std::uint64_t value) {
  asm volatile("red.release.sys.global.max.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

/// Nanoseconds of a clock that all multiprocessors share; ticks coarsely.
__device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// Registers -----------------------------------------------------------------------------------------------------------------

/// A warpgroup that needs few registers leaves the others to those that need many.
template <int kCount>
__device__ inline void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount));
}
template <int kCount>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount));
}

/// Writes four 8 x 8 matrices of 16-bit elements to shared memory: lane l of the warp names row l % 8 of matrix l / 8.
__device__ inline void store_matrices(std::uint32_t row_address, std::uint32_t m0, std::uint32_t m1, std::uint32_t m2,
                                      std::uint32_t m3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row_address), "r"(m0), "r"(m1),
               "r"(m2), "r"(m3)
               : "memory");
}

}  // namespace meshmul::cuda::ptx
