#include "op_times.hpp"

#include <algorithm>

#include "picoseconds.hpp"

namespace meshmul::simulation {
namespace {

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

// The extents of each kind of index, multiplied.
ProductSize size_of(const Gemm& op, const Einsum& einsum) {
  ProductSize size;
  const auto extent = [](const Region& region, std::size_t dim) {
    return static_cast<double>(region.box[static_cast<int>(dim)].size());
  };
  for (std::size_t d = 0; d < einsum.a.size(); ++d) {
    const char letter = einsum.a[d];
    const bool in_b = has(einsum.b, letter);
    (in_b ? has(einsum.c, letter) ? size.batch : size.k : size.m) *= extent(op.a, d);
  }
  for (std::size_t d = 0; d < einsum.b.size(); ++d)
    if (!has(einsum.a, einsum.b[d])) size.n *= extent(op.b, d);
  return size;
}

}  // namespace

OpTimes::OpTimes(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options)
    : schedule_(schedule),
      hardware_(hardware),
      cost_(options.cost),
      ranks_per_core_(1.0 * options.ranks_per_core * options.ranks_per_chip),
      memory_bytes_per_second_(hardware.chip.memory_bytes_per_second /
                               (1.0 * options.ranks_per_memory * options.ranks_per_chip)) {}

std::int64_t OpTimes::bytes(const Region& region) const {
  return region.box.num_elements() * size_bytes(schedule_.buffers[static_cast<std::size_t>(region.buffer)].dtype);
}

std::int64_t OpTimes::memory_ps(std::int64_t bytes) const {
  return picoseconds_of_bytes(bytes, memory_bytes_per_second_);
}

const ProductRates& OpTimes::rates(Dtype dtype) {
  const auto known = rates_.find(dtype);
  if (known != rates_.end()) return known->second;
  ProductRates rates(hardware_, cost_, dtype);
  rates.flops_per_second /= ranks_per_core_;
  rates.memory_bytes_per_second = memory_bytes_per_second_;
  return rates_.emplace(dtype, rates).first->second;
}

std::int64_t OpTimes::product_ps(const Gemm& op) {
  auto einsum = einsums_.find(op.einsum);
  if (einsum == einsums_.end()) einsum = einsums_.emplace(op.einsum, parse_einsum(op.einsum)).first;
  const Dtype dtype = schedule_.buffers[static_cast<std::size_t>(op.a.buffer)].dtype;
  // An accumulating product reads its result too.
  const std::int64_t touched = bytes(op.a) + bytes(op.b) + bytes(op.c) * (op.accumulate ? 2 : 1);
  const StepCost cost = product_cost(rates(dtype), size_of(op, einsum->second), static_cast<double>(touched));
  return picoseconds(static_cast<long double>(std::max(cost.compute_seconds, cost.memory_seconds)));
}

std::int64_t OpTimes::local_ps(const Op& op) {
  struct Visitor {
    OpTimes& times;
    std::int64_t operator()(const Put&) const { return 0; }
    std::int64_t operator()(const Get&) const { return 0; }
    std::int64_t operator()(const Signal&) const { return 0; }
    std::int64_t operator()(const Wait&) const { return 0; }
    std::int64_t operator()(const Copy& op) const { return times.memory_ps(times.bytes(op.src) + times.bytes(op.dst)); }
    std::int64_t operator()(const Reduce& op) const {
      return times.memory_ps(times.bytes(op.src) + 2 * times.bytes(op.dst));
    }
    std::int64_t operator()(const Gemm& op) const { return times.product_ps(op); }
    std::int64_t operator()(const Map& op) const {
      std::int64_t bytes = times.bytes(op.dst);
      for (const Region& src : op.srcs) bytes += times.bytes(src);
      return times.memory_ps(bytes);
    }
  };
  return std::visit(Visitor{*this}, op);
}

}  // namespace meshmul::simulation
