#pragma once
// Products of a warpgroup: 64 rows, kN columns, one step of the contraction, operands in shared memory, sums in
// registers. Source of shapes, descriptors and register layouts: PTX manual, "Asynchronous Warpgroup Level Matrix
// Instructions".

#include <cstdint>

#include "execute/cuda/gemm/gemm_work.hpp"

namespace meshmul::cuda {

/// Which index of an operand lies together in memory: the contracted one, or that of its rows or columns.
enum class Major { kContracted, kOuter };

__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Until all but the last `kLeft` groups are done.
template <int kLeft>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}

/// Where an operand lies in shared memory, in rows of 128 bytes that are swizzled in groups of eight (1024 bytes, at
/// which `address` is aligned but for steps along the contraction). `leading_bytes`: from 64 outer elements to the next
/// 64 where they lie together; does not count otherwise.
__device__ inline std::uint64_t operand_descriptor(std::uint32_t address, std::uint32_t leading_bytes) {
  constexpr std::uint64_t kSwizzle128 = 1ull << 62;
  constexpr std::uint64_t kGroupBytes = 1024;
  const auto field = [](std::uint64_t bytes) { return (bytes & 0x3FFFF) >> 4; };
  return field(address) | field(leading_bytes) << 16 | field(kGroupBytes) << 32 | kSwizzle128;
}

// The text of an instruction names each register of the sums. These lists are cut in eights.
#define MESHMUL_R0 "%0,%1,%2,%3,%4,%5,%6,%7"
#define MESHMUL_R1 ",%8,%9,%10,%11,%12,%13,%14,%15"
#define MESHMUL_R2 ",%16,%17,%18,%19,%20,%21,%22,%23"
#define MESHMUL_R3 ",%24,%25,%26,%27,%28,%29,%30,%31"
#define MESHMUL_R4 ",%32,%33,%34,%35,%36,%37,%38,%39"
#define MESHMUL_R5 ",%40,%41,%42,%43,%44,%45,%46,%47"
#define MESHMUL_R6 ",%48,%49,%50,%51,%52,%53,%54,%55"
#define MESHMUL_R7 ",%56,%57,%58,%59,%60,%61,%62,%63"
#define MESHMUL_R8 ",%64,%65,%66,%67,%68,%69,%70,%71"
#define MESHMUL_R9 ",%72,%73,%74,%75,%76,%77,%78,%79"
#define MESHMUL_R10 ",%80,%81,%82,%83,%84,%85,%86,%87"
#define MESHMUL_R11 ",%88,%89,%90,%91,%92,%93,%94,%95"
#define MESHMUL_R12 ",%96,%97,%98,%99,%100,%101,%102,%103"
#define MESHMUL_R13 ",%104,%105,%106,%107,%108,%109,%110,%111"
#define MESHMUL_TEXT_6 MESHMUL_R0 MESHMUL_R1 MESHMUL_R2 MESHMUL_R3 MESHMUL_R4 MESHMUL_R5
#define MESHMUL_TEXT_7 MESHMUL_TEXT_6 MESHMUL_R6
#define MESHMUL_TEXT_8 MESHMUL_TEXT_7 MESHMUL_R7
#define MESHMUL_TEXT_12 MESHMUL_TEXT_8 MESHMUL_R8 MESHMUL_R9 MESHMUL_R10 MESHMUL_R11
#define MESHMUL_TEXT_13 MESHMUL_TEXT_12 MESHMUL_R12
#define MESHMUL_TEXT_14 MESHMUL_TEXT_13 MESHMUL_R13
#define MESHMUL_SUMS(i)                                                                                       \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define MESHMUL_SUMS_6 \
  MESHMUL_SUMS(0), MESHMUL_SUMS(8), MESHMUL_SUMS(16), MESHMUL_SUMS(24), MESHMUL_SUMS(32), MESHMUL_SUMS(40)
#define MESHMUL_SUMS_7 MESHMUL_SUMS_6, MESHMUL_SUMS(48)
#define MESHMUL_SUMS_8 MESHMUL_SUMS_7, MESHMUL_SUMS(56)
#define MESHMUL_SUMS_12 MESHMUL_SUMS_8, MESHMUL_SUMS(64), MESHMUL_SUMS(72), MESHMUL_SUMS(80), MESHMUL_SUMS(88)
#define MESHMUL_SUMS_13 MESHMUL_SUMS_12, MESHMUL_SUMS(96)
#define MESHMUL_SUMS_14 MESHMUL_SUMS_13, MESHMUL_SUMS(104)

// One instruction. A, B: the numbers of the operands behind the sums. TAIL: whether sums are added to (else they are
// written), two signs, and for 16-bit operands whether each lies together along its outer index.
#define MESHMUL_WGMMA(N, TYPES, EIGHTS, A, B, TAIL)                                                                 \
  asm volatile("wgmma.mma_async.sync.aligned.m64n" #N TYPES " {" MESHMUL_TEXT_##EIGHTS "}, " A ", " B ", " TAIL ";" \
               : MESHMUL_SUMS_##EIGHTS                                                                              \
               : "l"(a), "l"(b))

// The instruction for each pair of majors of 16-bit operands; 8-bit ones lie along the contraction always.
#define MESHMUL_WGMMA_16_BIT(N, TYPES, EIGHTS, A, B)                    \
  do {                                                                  \
    static_assert(!kFresh);                                             \
    if constexpr (kA == Major::kContracted && kB == Major::kContracted) \
      MESHMUL_WGMMA(N, TYPES, EIGHTS, A, B, "1, 1, 1, 0, 0");           \
    else if constexpr (kA == Major::kContracted)                        \
      MESHMUL_WGMMA(N, TYPES, EIGHTS, A, B, "1, 1, 1, 0, 1");           \
    else if constexpr (kB == Major::kContracted)                        \
      MESHMUL_WGMMA(N, TYPES, EIGHTS, A, B, "1, 1, 1, 1, 0");           \
    else                                                                \
      MESHMUL_WGMMA(N, TYPES, EIGHTS, A, B, "1, 1, 1, 1, 1");           \
  } while (false)
#define MESHMUL_WGMMA_OF_TYPE(N, EIGHTS, A, B)                        \
  do {                                                                \
    if constexpr (kElement == Dtype::kBf16)                           \
      MESHMUL_WGMMA_16_BIT(N, "k16.f32.bf16.bf16", EIGHTS, A, B);     \
    else if constexpr (kElement == Dtype::kF16)                       \
      MESHMUL_WGMMA_16_BIT(N, "k16.f32.f16.f16", EIGHTS, A, B);       \
    else if constexpr (kFresh)                                        \
      MESHMUL_WGMMA(N, "k32.f32.e4m3.e4m3", EIGHTS, A, B, "0, 1, 1"); \
    else                                                              \
      MESHMUL_WGMMA(N, "k32.f32.e4m3.e4m3", EIGHTS, A, B, "1, 1, 1"); \
  } while (false)

/// d += a * b, or with kFresh d = a * b, asynchronously; d are kN / 2 sums in registers. Element (row, column) of the
/// 64 x kN sums lies in thread t of the warpgroup, with w = t / 32 and l = t % 32: rows 16 w + l / 4 and 8 below,
/// columns 8 j + 2 (l % 4) and the next one: d[4 j], d[4 j + 1] in the upper row, d[4 j + 2], d[4 j + 3] in the lower
/// one.
template <Dtype kElement, Major kA, Major kB, int kN, bool kFresh = false>
__device__ inline void wgmma(float* d, std::uint64_t a, std::uint64_t b) {
  if constexpr (kN == 96)
    MESHMUL_WGMMA_OF_TYPE(96, 6, "%48", "%49");
  else if constexpr (kN == 112)
    MESHMUL_WGMMA_OF_TYPE(112, 7, "%56", "%57");
  else if constexpr (kN == 128)
    MESHMUL_WGMMA_OF_TYPE(128, 8, "%64", "%65");
  else if constexpr (kN == 192)
    MESHMUL_WGMMA_OF_TYPE(192, 12, "%96", "%97");
  else if constexpr (kN == 208)
    MESHMUL_WGMMA_OF_TYPE(208, 13, "%104", "%105");
  else {
    static_assert(kN == 224, "no instruction of this width is written out");
    MESHMUL_WGMMA_OF_TYPE(224, 14, "%112", "%113");
  }
}

}  // namespace meshmul::cuda
