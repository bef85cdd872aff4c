#include "host_times.hpp"

#include <algorithm>

#include "gemm_size.hpp"
#include "picoseconds.hpp"

namespace meshmul::simulation {

HostTimes::HostTimes(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options)
    : schedule_(schedule),
      hardware_(hardware),
      host_(*hardware.host),
      cost_(options.cost),
      footprint_bytes_(static_cast<double>(bytes_per_rank(schedule))) {}

Dtype HostTimes::dtype(const Region& region) const {
  return schedule_.buffers[static_cast<std::size_t>(region.buffer)].dtype;
}

std::int64_t HostTimes::bytes(const Region& region) const {
  return region.box.num_elements() * size_bytes(dtype(region));
}

std::int64_t HostTimes::lasting(double seconds) const {
  return picoseconds(static_cast<long double>(host_.op_seconds) + static_cast<long double>(seconds));
}

// Ranks run the same program, so that all move bytes when one does.
std::int64_t HostTimes::moving(std::int64_t bytes, std::int64_t runs, const FootprintRates& rates) const {
  const double rate = schedule_.num_ranks() == 1 ? bytes_per_second(rates, footprint_bytes_)
                                                 : busy_bytes_per_second(rates, footprint_bytes_);
  const double apart = runs == 1 ? 0 : static_cast<double>(runs) * seconds(host_.runs, footprint_bytes_);
  return lasting(static_cast<double>(bytes) / rate + apart);
}

// Whether the executors write `dst`, which has so many runs, past the caches.
bool HostTimes::streams(const Region& dst, std::int64_t runs) const {
  return host_.streams && static_cast<double>(bytes(dst)) >= host_.streams->least_bytes * static_cast<double>(runs);
}

// What changes its dtype or the order of its dimensions goes through the caches.
std::int64_t HostTimes::copying(const Region& src, const Region& dst, bool is_plain, int rank) const {
  const std::int64_t num_runs = std::max(runs(src), runs(dst));
  const bool is_own = src.rank == rank;
  const FootprintRates& rates = is_plain && streams(dst, num_runs)
                                    ? (is_own ? host_.streams->copies : host_.streams->gets)
                                    : (is_own ? host_.copies : host_.gets);
  return moving(bytes(src) + bytes(dst), num_runs, rates);
}

// Stretches of bytes that lie side by side.
std::int64_t HostTimes::runs(const Region& region) const {
  const Shape& shape = schedule_.buffers[static_cast<std::size_t>(region.buffer)].shape;
  int dim = region.box.num_dims() - 1;
  while (dim > 0 && region.box[dim].size() == shape[static_cast<std::size_t>(dim)]) --dim;
  std::int64_t runs = 1;
  for (int outer = 0; outer < dim; ++outer) runs *= region.box[outer].size();
  return runs;
}

double HostTimes::product_seconds(const Gemm& op) {
  auto einsum = einsums_.find(op.einsum);
  if (einsum == einsums_.end()) einsum = einsums_.emplace(op.einsum, parse_einsum(op.einsum)).first;
  const Dtype factors = dtype(op.a);
  const ProductSize size = size_of(op, einsum->second);
  for (const ProductTimes& times : host_.products)
    if (times.dtype == factors) return size.batch * seconds(times, size.m, size.n, size.k);
  const auto touched = static_cast<double>(bytes(op.a) + bytes(op.b) + bytes(op.c));
  const StepCost cost = product_cost(ProductRates(hardware_, cost_, factors), size, touched);
  return std::max(cost.compute_seconds, cost.memory_seconds);
}

std::int64_t HostTimes::of(const MergedSum& sum, int rank) {
  std::int64_t moved = bytes(sum.dst), most_runs = runs(sum.dst);
  for (const Region& term : sum.terms) {
    moved += bytes(term);
    most_runs = std::max(most_runs, runs(term));
  }
  if (most_runs == 1) return moving(moved, 1, streams(sum.dst, 1) ? host_.streams->sums : host_.sums);
  // One after the other.
  std::int64_t all = of(Copy{sum.dst, sum.terms.front(), {}, {}}, rank);
  for (std::size_t i = 1; i < sum.terms.size(); ++i) all += of(Reduce{sum.dst, sum.terms[i], {}, {}}, rank);
  return all;
}

std::int64_t HostTimes::of(const Op& op, int rank) {
  struct Visitor {
    HostTimes& times;
    int rank;

    std::int64_t operator()(const Put& op) const { return times.copying(op.src, op.dst, true, rank); }
    std::int64_t operator()(const Get& op) const { return times.copying(op.src, op.dst, true, rank); }
    std::int64_t operator()(const Signal&) const { return times.lasting(0); }
    std::int64_t operator()(const Wait&) const { return times.lasting(0); }
    std::int64_t operator()(const Copy& op) const {
      const bool is_plain = op.permutation.empty() && times.dtype(op.src) == times.dtype(op.dst);
      return times.copying(op.src, op.dst, is_plain, rank);
    }
    std::int64_t operator()(const Reduce& op) const {
      return times.moving(times.bytes(op.src) + 2 * times.bytes(op.dst),
                          std::max(times.runs(op.src), times.runs(op.dst)), times.host_.reductions);
    }
    std::int64_t operator()(const Gemm& op) const { return times.lasting(times.product_seconds(op)); }
    std::int64_t operator()(const Map& op) const {
      std::int64_t bytes = times.bytes(op.dst), runs = times.runs(op.dst);
      for (const Region& src : op.srcs) {
        bytes += times.bytes(src);
        runs = std::max(runs, times.runs(src));
      }
      return times.moving(bytes, runs, times.host_.maps);
    }
  };
  return std::visit(Visitor{*this, rank}, op);
}

}  // namespace meshmul::simulation
