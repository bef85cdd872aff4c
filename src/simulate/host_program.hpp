#pragma once
// A schedule as the ranks of a host carry it out: every op with its times and signal words, in flat arrays.

#include <array>
#include <cstdint>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/simulate.hpp"
#include "trace.hpp"

namespace meshmul::simulation {

struct HostOp {
  std::int64_t duration_ps = 0;
  std::array<std::uint32_t, 2> raises{kNobody, kNobody};  ///< words that rise when it is done
  std::uint32_t awaited = kNobody;                        ///< of a wait: its word
  std::uint64_t threshold = 0;
  std::uint32_t lane = 0;
  bool is_product = false;  ///< after which another lane has its turn
};

/// Things number `first` … `end` - 1.
struct HostRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

struct HostProgram {
  std::vector<HostOp> ops;       ///< in the order of the schedule: rank, lane, op
  std::vector<HostRange> lanes;  ///< their ops
  std::vector<HostRange> ranks;  ///< their lanes
  std::vector<std::uint32_t> rank_of_lane;
  std::size_t num_words = 0;
  std::uint32_t ranks_per_core = 1;  ///< those that follow each other
  std::int64_t notice_ps = 0;
  std::int64_t wake_ps = 0;
  std::int64_t sleep_after_ps = 0;
};

/// The schedule is well-formed, and `hardware` has a host. Throws Error(kInvalidArgument) if the chip has no rate for a
/// product, or if all ops together take more time than a timeline can hold.
HostProgram flatten_for_host(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options);

}  // namespace meshmul::simulation
