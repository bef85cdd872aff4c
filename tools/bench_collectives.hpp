#pragma once
// `meshmul bench collectives`: every algorithm against MPI and against what memory allows, from small to large.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench_run.hpp"
#include "json.hpp"
#include "measure/estimate.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::cli {

struct CollectiveFiguresRow {
  std::string name;
  bool is_chosen = false;  ///< the planner takes this algorithm
  measure::Estimate seconds;
  measure::Estimate of_copies;               ///< copies alone / this: 1 is as fast as memory allows
  std::optional<measure::Estimate> of_peer;  ///< MPI / this: above 1 is faster than MPI
};

/// Of one size. No rows if it was interrupted too early.
struct CollectiveFigures {
  CollectiveKind kind = CollectiveKind::kAllGather;
  std::int64_t bytes = 0;   ///< of one rank's contribution
  double bytes_to_get = 0;  ///< by every rank, from others
  int pairs = 0;
  measure::Estimate copies_seconds;
  std::vector<CollectiveFiguresRow> rows;
};

/// AllGather, ReduceScatter, AllReduce and AllToAll of `low`, 4 `low`, … up to `high` bytes a rank, against MPI where it is
/// there. Ends early after Ctrl-C.
std::vector<CollectiveFigures> measure_collectives(std::int64_t low, std::int64_t high, const BenchRun& run);

std::string as_text(const std::vector<CollectiveFigures>& figures);
Json as_json(const std::vector<CollectiveFigures>& figures);

}  // namespace meshmul::cli
