#pragma once
// One collective of one size, ready to be timed by every algorithm, by MPI, and against what memory allows.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "in_turn.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "mpi_peer.hpp"
#include "team.hpp"

namespace meshmul::measure {

inline constexpr const char* kPeerName = "MPI";

struct CollectiveRow {
  std::string name;        ///< that of the algorithm, or kPeerName
  bool is_chosen = false;  ///< the planner takes this algorithm
  Timed timed;             ///< of one call: the median of several, where they are short
};

struct CollectiveCase {
  CollectiveKind collective = CollectiveKind::kAllGather;
  std::int64_t bytes = 0;  ///< of one rank's contribution
  /// What every rank has to get from others, at least: with P ranks (P - 1) x the contribution of an AllGather, (P - 1) / P of
  /// it of a ReduceScatter and an AllToAll, twice that of an AllReduce. The "bus bandwidth" of NVIDIA's nccl-tests.
  double bytes_to_get = 0;
  Timed copies;                     ///< all ranks copy so many bytes from a peer's memory, at once
  std::vector<CollectiveRow> rows;  ///< MPI is the last
};

/// f32, on as many ranks as `team` has threads, which is referred to, as is `mpi`, if it is not null. Every call takes numbers
/// that each rank has just written. Throws as `compile` and Executor::open do.
CollectiveCase prepare_collective(CollectiveKind collective, std::int64_t bytes, const Hardware& hardware,
                                  const Executor& executor, Team& team, MpiPeer* mpi,
                                  const std::function<bool()>& interrupted);

}  // namespace meshmul::measure
