#pragma once
// What the kernels ask of the CPU, decided at run time. Tests pass other values to force each fallback.

namespace meshmul {

/// Instruction sets that some kernel has a faster or the only right way for. A kernel never runs instructions that are
/// not claimed here, so every field may be cleared.
struct CpuFeatures {
  bool avx2 = false;         ///< AVX2 and F16C: widening and narrowing in vectors of 256 bits
  bool avx512 = false;       ///< stores of whole cache lines
  bool avx512_bf16 = false;  ///< products of bf16 in hardware
  bool vnni = false;         ///< exact sums of i8 products; without it oneDNN saturates in 16 bits
};

/// Those of the CPU that this runs on.
const CpuFeatures& cpu_features();

}  // namespace meshmul
