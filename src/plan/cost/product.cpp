#include "plan/cost/product.hpp"

#include <algorithm>
#include <cmath>

#include "plan/cost/rounded_seconds.hpp"

namespace meshmul {

ProductRates::ProductRates(const Hardware& hardware, const CostSettings& settings, Dtype dtype)
    : flops_per_second(meshmul::flops_per_second(hardware, dtype) *
                       (settings.efficiency ? hardware.chip.efficiency : 1)),
      memory_bytes_per_second(hardware.chip.memory_bytes_per_second),
      matrix_unit(settings.count == CountRule::kLimit ? 0 : static_cast<double>(hardware.chip.matrix_unit)) {}

StepCost product_cost(const ProductRates& rates, const ProductSize& size, double memory_bytes) {
  const auto padded = [unit = rates.matrix_unit](double extent) {
    return unit == 0 ? extent : std::ceil(extent / unit) * unit;
  };
  const ProductSize computed{size.batch, padded(size.m), padded(size.n), padded(size.k)};
  StepCost cost;
  cost.flops = size.flops();
  cost.compute_seconds = computed.flops() / rates.flops_per_second;
  cost.memory_seconds = memory_bytes / rates.memory_bytes_per_second;
  cost.seconds = rounded_seconds(std::max(cost.compute_seconds, cost.memory_seconds));
  if (cost.seconds > 0) cost.bound = cost.compute_seconds < cost.memory_seconds ? Bound::kMemory : Bound::kCompute;
  return cost;
}

}  // namespace meshmul
