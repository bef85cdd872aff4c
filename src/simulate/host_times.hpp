#pragma once
// How long ops take on a core of a host, from what was measured there.

#include <cstdint>
#include <map>
#include <string>

#include "base/einsum.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/simulate.hpp"
#include "schedule/merged_sums.hpp"

namespace meshmul::simulation {

class HostTimes {
 public:
  /// Keeps references to `schedule` and `hardware`, which has a host.
  HostTimes(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options);

  /// Picoseconds of any op of `rank`; a wait has passed. Throws Error(kInvalidArgument) if there is neither a table nor a rate for the
  /// product.
  std::int64_t of(const Op& op, int rank);
  /// Of a copy and the reductions behind it, which the executors do in one go: every term is read, and the sum written, once.
  std::int64_t of(const MergedSum& sum, int rank);

 private:
  double product_seconds(const Gemm& op);
  std::int64_t moving(std::int64_t bytes, std::int64_t runs, const FootprintRates& rates) const;
  std::int64_t copying(const Region& src, const Region& dst, bool is_plain, int rank) const;
  bool streams(const Region& dst, std::int64_t runs) const;
  std::int64_t runs(const Region& region) const;
  Dtype dtype(const Region& region) const;
  std::int64_t bytes(const Region& region) const;
  std::int64_t lasting(double seconds) const;

  const Schedule& schedule_;
  const Hardware& hardware_;
  const Host& host_;
  CostSettings cost_;
  // Buffers are met again in every run, so what a rank has of them is what lies between two visits.
  double footprint_bytes_;
  std::map<std::string, Einsum, std::less<>> einsums_;
};

}  // namespace meshmul::simulation
