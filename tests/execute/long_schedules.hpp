#pragma once
// Schedules that last: for tests that do something to a run.

#include <fmt/format.h>

#include <string>

#include "conformance_cases.hpp"

namespace meshmul {

/// Rank 1 raises `come` once; rank 0 waits for two, on line 9.
inline std::string one_raise_short() {
  return header(2) +
         "buffer a f32 [1] symmetric\nsignal come\n"
         "rank 0\n  lane compute\n    wait come >= 1\n    wait come >= 2\n"
         "rank 1\n  lane copy0\n    signal 0 come\n";
}

/// Side of the matrices of `many_products`.
inline constexpr int kProductSize = 96;

/// How many products last some tenths of a second with the `reference` kernels.
inline constexpr int kManyProducts = 60 / MESHMUL_RANDOM_CASE_DIVISOR;

enum class Ending { kWell, kNever };

/// Each rank adds the same product, c += in.a * in.b, over and over, and then ends or waits for ever.
inline std::string many_products(int num_ranks, int num_products, Ending ending = Ending::kWell) {
  std::string text = header(num_ranks) + fmt::format("buffer in.a f32 [{0}, {0}] symmetric\n", kProductSize);
  text += fmt::format("buffer in.b f32 [{0}, {0}] symmetric\nbuffer c f32 [{0}, {0}] symmetric\n", kProductSize);
  text += "signal never\n";
  const std::string operands =
      fmt::format("c[0:{0}, 0:{0}] in.a[0:{0}, 0:{0}] in.b[0:{0}, 0:{0}] ij,jk->ik", kProductSize);
  for (int rank = 0; rank < num_ranks; ++rank) {
    text += fmt::format("rank {}\n  lane compute\n    gemm {}\n", rank, operands);
    for (int i = 1; i < num_products; ++i) text += fmt::format("    gemm {} accumulate\n", operands);
    if (ending == Ending::kNever) text += "    wait never >= 1\n";
  }
  return text;
}

/// What `many_hops` hands round.
inline constexpr int kTokenSize = 1024;

/// A token goes round all ranks, `num_laps` times, and ends at rank 0, where it began.
inline std::string many_hops(int num_ranks, int num_laps) {
  std::string text = header(num_ranks) + fmt::format("buffer token f32 [{}] symmetric\nsignal come\n", kTokenSize);
  for (int rank = 0; rank < num_ranks; ++rank) {
    text += fmt::format("rank {}\n  lane copy0\n", rank);
    for (int lap = 1; lap <= num_laps; ++lap) {
      const std::string wait = fmt::format("    wait come >= {}\n", lap);
      const std::string put =
          fmt::format("    put token@{1}[0:{0}] token[0:{0}] arrived come\n", kTokenSize, (rank + 1) % num_ranks);
      text += rank == 0 ? put + wait : wait + put;
    }
  }
  return text;
}

}  // namespace meshmul
