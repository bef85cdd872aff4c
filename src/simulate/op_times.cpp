#include "op_times.hpp"

#include "gemm_size.hpp"
#include "picoseconds.hpp"

namespace meshmul::simulation {

OpTimes::OpTimes(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options)
    : schedule_(schedule), hardware_(hardware), cost_(options.cost) {}

std::int64_t OpTimes::bytes(const Region& region) const {
  return region.box.num_elements() * size_bytes(schedule_.buffers[static_cast<std::size_t>(region.buffer)].dtype);
}

std::int64_t OpTimes::memory_ps(std::int64_t bytes) const {
  return picoseconds_of_bytes(bytes, hardware_.chip.memory_bytes_per_second);
}

const ProductRates& OpTimes::rates(Dtype dtype) {
  const auto known = rates_.find(dtype);
  if (known != rates_.end()) return known->second;
  return rates_.emplace(dtype, ProductRates(hardware_, cost_, dtype)).first->second;
}

LocalTime OpTimes::product(const Gemm& op) {
  auto einsum = einsums_.find(op.einsum);
  if (einsum == einsums_.end()) einsum = einsums_.emplace(op.einsum, parse_einsum(op.einsum)).first;
  const Dtype dtype = schedule_.buffers[static_cast<std::size_t>(op.a.buffer)].dtype;
  // An accumulating product reads its result too.
  const std::int64_t touched = bytes(op.a) + bytes(op.b) + bytes(op.c) * (op.accumulate ? 2 : 1);
  const StepCost cost = product_cost(rates(dtype), size_of(op, einsum->second), static_cast<double>(touched));
  return {picoseconds(static_cast<long double>(cost.compute_seconds)),
          picoseconds(static_cast<long double>(cost.memory_seconds))};
}

LocalTime OpTimes::local(const Op& op) {
  struct Visitor {
    OpTimes& times;
    LocalTime operator()(const Put&) const { return {}; }
    LocalTime operator()(const Get&) const { return {}; }
    LocalTime operator()(const Signal&) const { return {}; }
    LocalTime operator()(const Wait&) const { return {}; }
    LocalTime operator()(const Copy& op) const { return moving(times.bytes(op.src) + times.bytes(op.dst)); }
    LocalTime operator()(const Reduce& op) const { return moving(times.bytes(op.src) + 2 * times.bytes(op.dst)); }
    LocalTime operator()(const Gemm& op) const { return times.product(op); }
    LocalTime operator()(const Map& op) const {
      std::int64_t bytes = times.bytes(op.dst);
      for (const Region& src : op.srcs) bytes += times.bytes(src);
      return moving(bytes);
    }
    LocalTime moving(std::int64_t bytes) const { return {0, times.memory_ps(bytes)}; }
  };
  return std::visit(Visitor{*this}, op);
}

}  // namespace meshmul::simulation
