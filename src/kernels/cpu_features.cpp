#include "cpu_features.hpp"

namespace meshmul {

const CpuFeatures& cpu_features() {
  static const CpuFeatures features = [] {
    CpuFeatures found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    found.avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("f16c") != 0;
    found.avx512 = __builtin_cpu_supports("avx512f") != 0;
    found.avx512_bf16 = __builtin_cpu_supports("avx512bf16") != 0;
    found.vnni = __builtin_cpu_supports("avx512vnni") != 0 || __builtin_cpu_supports("avxvnni") != 0;
#endif
    return found;
  }();
  return features;
}

}  // namespace meshmul
