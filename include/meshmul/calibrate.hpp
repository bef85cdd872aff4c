#pragma once
// Measures this machine: what ranks take for the ops of schedules, as a hardware profile that plans and simulations use.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "meshmul/dtype.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {

struct CalibrateOptions {
  int ranks = 0;                                                      ///< that work at once; 0: one for each core
  std::string_view backend = "threads";                               ///< or `processes`
  std::vector<Dtype> dtypes{Dtype::kF64, Dtype::kF32, Dtype::kBf16};  ///< of products
  std::vector<std::int64_t> extents{1, 16, 64, 256, 1024, 2048};      ///< of products, along each of m, n and k; rising
  std::int64_t least_footprint = std::int64_t{1} << 16;               ///< bytes; then twice as many, and so on
  std::int64_t largest_footprint = std::int64_t{1} << 28;
  int rounds = 9;                            ///< of which the fastest quarter counts
  std::function<void(std::string_view)> on;  ///< told what is measured next; may be empty
  std::function<bool()> interrupted;         ///< polled during a run; true ends it with Error(kInterrupted)
};

/// Less of everything: for a first look, within some ten seconds.
CalibrateOptions quick_calibration();

/// Rates of one core while the others idle, and while all do the same.
struct AloneAndBusy {
  double alone = 0;
  double busy = 0;
};

struct ProductRate {
  Dtype dtype = Dtype::kF32;
  AloneAndBusy flops_per_second;  ///< of the largest product
};

struct Calibration {
  Hardware hardware;  ///< `local`
  std::vector<ProductRate> products;
};

/// Runs little schedules on a backend, in memory as every schedule has it, and times their ops. All ranks work at once, but
/// where something is measured alone; what belongs together is measured in turn, again and again, so that a machine that is
/// slow for a while is so for all.
/// Throws Error(kInvalidArgument) if there are no or more than 1024 ranks, no dtypes, extents that do not rise from 1 or more,
/// no rounds, footprints below 64 bytes, or no such backend; and what a session throws.
Calibration calibrate(const CalibrateOptions& options = {});

}  // namespace meshmul
