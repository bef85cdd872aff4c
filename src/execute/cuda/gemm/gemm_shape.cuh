#pragma once
// What a product kernel is compiled for, and what it takes of a multiprocessor.

#include <cstdint>

#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/wgmma.cuh"

namespace meshmul::cuda {

// A multiprocessor has room for another small block beside one of this kernel: 128 threads of 56 registers, and the 1 KB
// of shared memory that every block takes. Each of its four parts has 512 registers a lane, of which one warp of that
// block takes 56; the three warps of this kernel there are launched with an equal share of the other 456, and divide it
// anew: the one that loads leaves what those that multiply take. Of 228 KB of shared memory, both blocks take 1 KB each.
inline constexpr int kLaunchRegisters = 152;
inline constexpr int kMultiplyRegisters = 208;
inline constexpr int kLoadRegisters = 40;
inline constexpr int kMaxSharedBytes = 226 * 1024;
static_assert((1 + kNumMultipliers) * kLaunchRegisters + 56 <= 512);
static_assert(kNumMultipliers * kMultiplyRegisters + kLoadRegisters <= (1 + kNumMultipliers) * kLaunchRegisters);
static_assert(kMaxSharedBytes + 1024 + 1024 <= 228 * 1024);

/// Columns of a term that are loaded and added at a time: 128 bytes.
inline constexpr int kTermColumns = 64;

/// What a kernel is compiled for. `kPromotesOf`: sums of f8 products are promoted to f32 after each step of 128 elements;
/// the hardware keeps some 14 bits of them.
template <Dtype kElementOf, Major kAMajorOf, Major kBMajorOf, int kTileNOf, bool kPromotesOf = false>
struct GemmShape {
  static constexpr Dtype kElement = kElementOf;
  static constexpr Major kA = kAMajorOf;
  static constexpr Major kB = kBMajorOf;
  static constexpr int kTileN = kTileNOf;
  static constexpr bool kPromotes = kPromotesOf;
  static constexpr int kStep = kElement == Dtype::kF8e4m3 ? 128 : 64;  ///< elements of the contraction a step
  static constexpr int kInstructionBytes = 32;                         ///< of the contraction, an instruction
  static constexpr int kInstructions = kStepBytes / kInstructionBytes;
  static constexpr int kColumnGroups = (kTileN + 63) / 64;

  static constexpr int kABytes = kTileM * kStepBytes;
  static constexpr int kBBytes = (kB == Major::kContracted ? kTileN : kColumnGroups * 64) * kStepBytes;
  static constexpr int kStageBytes = kABytes + kBBytes;
  static constexpr int kStoreBytes = 64 * 128;  ///< 64 rows of 128 bytes, two for each warpgroup that multiplies
  static constexpr int kAllStoreBytes = 2 * kNumMultipliers * kStoreBytes;
  static constexpr int kBarrierBytes = 1024;
  static constexpr int kStages = (kMaxSharedBytes - 1024 - kBarrierBytes - kAllStoreBytes) / kStageBytes;
  static constexpr int kSharedBytes = 1024 + kBarrierBytes + kAllStoreBytes + kStages * kStageBytes;
  static_assert(kStages >= 3);
};

/// The stage of shared memory that comes next, and the parity of its barriers.
template <int kStages>
struct StageWalk {
  int stage = 0;
  std::uint32_t parity = 0;
  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

}  // namespace meshmul::cuda
