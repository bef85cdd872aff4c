#pragma once
// One collective of one size, ready to be timed by every algorithm, by MPI, and against what memory allows.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "in_turn.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "mpi_peer.hpp"
#include "team.hpp"

namespace meshmul::measure {

struct CollectiveRow {
  std::string name;        ///< that of the algorithm
  bool is_chosen = false;  ///< the planner takes this algorithm
  Timed timed;
};

/// Every Timed runs two batches of calls, of some ms each, and returns the seconds of a call of the second: those of the batch,
/// divided by its calls. A call is: each rank copies its contribution from private memory to where the collective reads it; then the collective.
struct CollectiveCase {
  CollectiveKind collective = CollectiveKind::kAllGather;
  std::int64_t bytes = 0;  ///< of one rank's contribution
  /// What every rank has to get from others, at least: with P ranks (P - 1) x the contribution of an AllGather, (P - 1) / P of
  /// it of a ReduceScatter and an AllToAll, twice that of an AllReduce. The "bus bandwidth" of NVIDIA's nccl-tests.
  double bytes_to_get = 0;
  Timed rewriting;  ///< the contributions alone
  Timed copies;     ///< in the place of the collective all ranks copy so many bytes from a peer's memory
  std::vector<CollectiveRow> rows;  ///< an algorithm each
  Timed mpi;                        ///< null if it is not there
};

/// Built by each of `algorithms`. f32, on as many ranks as `team` has threads, which is referred to, as is `mpi`, if it is not null. Throws as `compile`
/// and Executor::open do.
CollectiveCase prepare_collective(CollectiveKind collective, std::int64_t bytes, std::span<const Algorithm> algorithms,
                                  const Hardware& hardware, const Executor& executor, Team& team, MpiPeer* mpi,
                                  const ExecuteOptions& options);

}  // namespace meshmul::measure
