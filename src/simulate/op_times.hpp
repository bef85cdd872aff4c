#pragma once
// How long ops take on their own rank: products by formula (9) of docs/cost-model.md, everything else by the bytes that it
// reads and writes.

#include <cstdint>
#include <map>
#include <string>

#include "base/einsum.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/simulate.hpp"
#include "plan/cost/product.hpp"

namespace meshmul::simulation {

/// An op is done when both are over.
struct LocalTime {
  std::int64_t compute_ps = 0;  ///< of its arithmetic
  std::int64_t memory_ps = 0;   ///< of the bytes that it reads and writes
};

class OpTimes {
 public:
  /// Keeps references to `schedule` and `hardware`.
  OpTimes(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options);

  /// Of a gemm, copy, reduce or map that has core and memory to itself; 0 for other ops. Throws Error(kInvalidArgument) if
  /// the chip has no rate for the product.
  LocalTime local(const Op& op);
  std::int64_t bytes(const Region& region) const;

 private:
  LocalTime product(const Gemm& op);
  const ProductRates& rates(Dtype dtype);
  std::int64_t memory_ps(std::int64_t bytes) const;

  const Schedule& schedule_;
  const Hardware& hardware_;
  CostSettings cost_;
  std::map<std::string, Einsum, std::less<>> einsums_;
  std::map<Dtype, ProductRates> rates_;
};

}  // namespace meshmul::simulation
