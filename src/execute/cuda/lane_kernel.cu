#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_words.cuh"
#include "execute/cuda/element_rows.cuh"
#include "execute/cuda/elementwise.cuh"
#include "execute/cuda/lane_kernel.hpp"
#include "execute/cuda/load_kernel.hpp"
#include "execute/cuda/plain_product.cuh"

namespace meshmul::cuda {
namespace {

/// Copies kAtOnce vectors, which `offset_of(i, pitch)` finds, all on their way at once.
template <int kAtOnce, class OffsetOf>
__device__ void copy_at_once(const std::byte* src, std::byte* dst, OffsetOf offset_of) {
  uint4 values[kAtOnce];
#pragma unroll
  for (int i = 0; i < kAtOnce; ++i) load_quad(src + offset_of(i, false), values[i]);
#pragma unroll
  for (int i = 0; i < kAtOnce; ++i) *reinterpret_cast<uint4*>(dst + offset_of(i, true)) = values[i];
}

/// Vectors `begin` to `end` (not included) of a copy, by thread `thread` of a warp.
__device__ __noinline__ void copy_vectors(const RowCopy& copy, std::uint32_t begin, std::uint32_t end,
                                          std::uint32_t thread) {
  const std::byte* const src = copy.src;
  std::byte* const dst = copy.dst;
  std::uint32_t at = begin + thread;
  if (copy.rows == 1) {
    constexpr std::uint32_t kAtOnce = 8;
    for (; at + (kAtOnce - 1) * kWarpThreads < end; at += kAtOnce * kWarpThreads) {
      const std::int64_t first = static_cast<std::int64_t>(at) * RowCopy::kVectorBytes;
      copy_at_once<kAtOnce>(src + first, dst + first,
                            [](int i, bool) { return i * kWarpThreads * RowCopy::kVectorBytes; });
    }
    for (; at < end; at += kWarpThreads) {
      const std::int64_t first = static_cast<std::int64_t>(at) * RowCopy::kVectorBytes;
      copy_at_once<1>(src + first, dst + first, [](int, bool) { return 0; });
    }
    return;
  }
  const auto row_vectors = static_cast<std::uint32_t>(copy.row_vectors);
  const std::int64_t dst_pitch = copy.dst_pitch, src_pitch = copy.src_pitch;
  const auto offset = [&](std::uint32_t vector, bool in_dst) {
    const std::uint32_t row = vector / row_vectors;
    return row * (in_dst ? dst_pitch : src_pitch) +
           static_cast<std::int64_t>(vector - row * row_vectors) * RowCopy::kVectorBytes;
  };
  constexpr std::uint32_t kAtOnce = 4;
  for (; at + (kAtOnce - 1) * kWarpThreads < end; at += kAtOnce * kWarpThreads)
    copy_at_once<kAtOnce>(src, dst, [&](int i, bool in_dst) {
      return offset(at + static_cast<std::uint32_t>(i) * kWarpThreads, in_dst);
    });
  for (; at < end; at += kWarpThreads) copy_at_once<1>(src, dst, [&](int, bool in_dst) { return offset(at, in_dst); });
}

__device__ void do_share(const LaneWork& work, const LaneTask& task, std::int32_t share, int thread) {
  const auto begin = [&](std::int64_t units) { return units * share / task.num_shares; };
  const auto end = [&](std::int64_t units) { return units * (share + 1) / task.num_shares; };
  switch (task.work) {
    case LaneTask::Work::kNothing: break;
    case LaneTask::Work::kRows: {
      const RowCopy& copy = work.rows[task.index];
      const std::int64_t units = copy.num_vectors();
      copy_vectors(copy, static_cast<std::uint32_t>(begin(units)), static_cast<std::uint32_t>(end(units)),
                   static_cast<std::uint32_t>(thread));
      break;
    }
    case LaneTask::Work::kElementRows: {
      const ElementRows& rows = work.element_rows[task.index];
      const std::int64_t units = rows.num_tiles();
      do_element_tiles(rows, static_cast<std::int32_t>(begin(units)), static_cast<std::int32_t>(end(units)), thread);
      break;
    }
    case LaneTask::Work::kElements: {
      const ElementLoops& loops = work.loops[task.index];
      do_elements(loops, begin(loops.count), end(loops.count), thread);
      break;
    }
    case LaneTask::Work::kProduct: {
      const FlatProduct& product = work.products[task.index];
      const std::int64_t units = product.num_tiles();
      do_plain_tiles(product, begin(units), end(units), thread);
      break;
    }
  }
}

/// Whether this is the first block of the run on its multiprocessor.
__device__ bool claim_multiprocessor(const LaneWork& work, std::uint64_t run) {
  std::uint32_t multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  return atomicMax(reinterpret_cast<unsigned long long*>(&work.present[multiprocessor]), run + 1) < run + 1;
}

/// A worker is a warp. Each of its threads watches one lane; all do a share together. With `kOneEach` a multiprocessor
/// keeps one block: two would leave no room for one of the product kernel, for which they might wait.
template <bool kOneEach>
__global__ void __maxnreg__(kLaneRegisters) lane_kernel(const __grid_constant__ LaneWork work) {
  const DeviceWords words;
  const std::uint64_t run = *work.epoch;
  if constexpr (kOneEach)
    if (!__syncthreads_or(threadIdx.x == 0 && claim_multiprocessor(work, run))) return;
  const int thread = static_cast<int>(threadIdx.x) % kWarpThreads;
  // The warps of a block have different lanes where there are too many for one.
  const int num_groups = (work.num_lanes + kWarpThreads - 1) / kWarpThreads;
  LaneWalk walk(work, static_cast<int>(threadIdx.x) / kWarpThreads % num_groups * kWarpThreads + thread);
  int turn = static_cast<int>(blockIdx.x) % kWarpThreads;
  for (std::uint32_t idle = 0;;) {
    const bool ready = walk.ready(work, run, words);
    const unsigned ready_lanes = __ballot_sync(~0U, ready);
    if (ready_lanes == 0) {
      if (__all_sync(~0U, walk.done())) return;
      constexpr std::uint32_t kIdleBetweenLooks = 16;
      if (++idle % kIdleBetweenLooks == 0) {
        if (__any_sync(~0U, aborted(work.control, words))) return;
        if (!walk.done()) walk.look_at_clock(work, run, words);
      }
      __nanosleep(200);
      continue;
    }
    idle = 0;
    // What the waits of one thread let pass, all of them may read.
    __syncwarp();
    // Lanes take turns.
    const unsigned later = ready_lanes & (~0U << turn);
    const int lane = __ffs(static_cast<int>(later != 0 ? later : ready_lanes)) - 1;
    turn = (lane + 1) % kWarpThreads;
    const std::int32_t number = __shfl_sync(~0U, walk.task(), lane);
    const LaneTask& task = work.tasks[number];
    std::int32_t share = 0;
    if (thread == lane) share = take_share(work, number, words);
    share = __shfl_sync(~0U, share, lane);
    if (share >= task.num_shares - 1 && thread == lane) walk.advance();
    if (share >= task.num_shares) continue;
    if (work.times != nullptr && task.op >= 0 && thread == 0)
      atomicMin(reinterpret_cast<unsigned long long*>(&work.times[task.op].begin), words.nanoseconds());
    do_share(work, task, share, thread);
    __syncwarp();
    if (thread == 0) finish_share(work, number, run, words);
  }
}

__global__ void begin_run_kernel(std::uint64_t* epoch, std::uint32_t* taken, int num_tasks, DeviceOpTimes* times) {
  for (int i = static_cast<int>(threadIdx.x); i < num_tasks; i += static_cast<int>(blockDim.x)) taken[i] = 0;
  if (threadIdx.x != 0) return;
  *epoch += 1;
  if (times != nullptr) times->begin = times->end = ptx::nanoseconds();
}

}  // namespace

void load_lane_kernels() {
  for (const void* kernel :
       {reinterpret_cast<const void*>(&lane_kernel<true>), reinterpret_cast<const void*>(&lane_kernel<false>),
        reinterpret_cast<const void*>(&begin_run_kernel)}) {
    load_kernel(kernel);
    // A multiprocessor divides its memory anew between cache and shared memory only when nothing runs on it: it has to
    // be divided as the product kernel needs it from the beginning.
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
          "choosing how a multiprocessor divides its memory");
  }
}

void launch_lanes(const LaneWork& work, int num_blocks, bool one_each, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(num_blocks);
  if (one_each)
    lane_kernel<true><<<blocks, kLaneThreads, 0, stream>>>(work);
  else
    lane_kernel<false><<<blocks, kLaneThreads, 0, stream>>>(work);
  check(cudaGetLastError(), "launching the tasks of lanes");
}

void begin_run(std::uint64_t* epoch, std::uint32_t* taken, int num_tasks, DeviceOpTimes* times, cudaStream_t stream) {
  constexpr int kThreads = 256;
  begin_run_kernel<<<1, kThreads, 0, stream>>>(epoch, taken, num_tasks, times);
  check(cudaGetLastError(), "beginning a run");
}

}  // namespace meshmul::cuda
