#pragma once
// `meshmul bench collectives`: every algorithm against MPI and against what memory allows, from small to large.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench_run.hpp"
#include "json.hpp"
#include "measure/estimate.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::cli {

/// Times are of one call of many: the rewriting of every contribution, and the collective. docs/performance.md.
struct CollectiveFiguresRow {
  std::string name;        ///< of an algorithm, or MPI
  bool is_chosen = false;  ///< the planner takes this algorithm
  measure::Estimate seconds;
  measure::Estimate of_copies;  ///< copies alone / this: 1 is as fast as memory allows
  /// MPI / this, of neighbours: above 1 is faster than MPI. And where both take longer than the rewriting, with that taken off.
  std::optional<measure::Estimate> of_mpi, of_mpi_without_rewriting;
};

/// Of one size. No rows if it was interrupted too early.
struct CollectiveFigures {
  CollectiveKind kind = CollectiveKind::kAllGather;
  std::int64_t bytes = 0;   ///< of one rank's contribution
  double bytes_to_get = 0;  ///< by every rank, from others
  int pairs = 0;
  measure::Estimate rewriting_seconds, copies_seconds;
  std::vector<CollectiveFiguresRow> rows;  ///< MPI is the last, where it is there
};

/// `1 KiB`, `4 MiB`: exact.
std::string size_text(std::int64_t bytes);

/// All four.
std::span<const CollectiveKind> collective_kinds();

/// What to measure: of each collective each algorithm, and of `low`, 4 `low`, … up to `high` bytes a rank.
struct CollectiveSelection {
  std::vector<CollectiveKind> kinds;
  std::vector<Algorithm> algorithms;
  std::int64_t low = 0, high = 0;
};

/// Against MPI where it is there. Ends early after Ctrl-C.
std::vector<CollectiveFigures> measure_collectives(const CollectiveSelection& selection, const BenchRun& run);

std::string as_text(const std::vector<CollectiveFigures>& figures);
Json as_json(const std::vector<CollectiveFigures>& figures);

}  // namespace meshmul::cli
