#pragma once
// `meshmul simulate --compare`: what several algorithms take, by the size of one index.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "meshmul/crossover.hpp"
#include "meshmul/topology.hpp"
#include "simulate_plan.hpp"

namespace meshmul::cli {

/// One size of the index.
struct ComparisonRow {
  std::int64_t size = 0;
  double output_bytes = 0;                                     ///< of the whole output
  std::vector<std::optional<std::int64_t>> makespans_ps = {};  ///< by algorithm; nothing where it cannot be had
};

struct SimulateComparison {
  std::string subject;
  Mesh mesh;
  std::string hardware;
  CostSettings cost;
  Placement placement;  ///< of all that is in the table; its mapping is empty if that differs
  std::string index;
  std::vector<Algorithm> algorithms;
  std::vector<ComparisonRow> rows;  ///< rising
  std::string group = {};           ///< which ranks were simulated for all; empty: all
  std::string missing = {};         ///< why one of the cells that are empty is; empty if none is
};

/// `statement` with the sizes LOW, 2 LOW, 4 LOW, … up to HIGH of an index that has none yet, planned anew at each. Cells that
/// do not fit the memory of `planning`, or cannot be simulated, stay empty; throws what kept the first if all do.
SimulateComparison compare(const Statement& statement, const Mesh& mesh, const Unknown& sizes,
                           const std::vector<Algorithm>& algorithms, const PlanOptions& planning,
                           const SimulateTarget& target);

/// Each row with its fastest algorithm marked, then where another one becomes the fastest.
std::string as_text(const SimulateComparison& comparison);
Json as_json(const SimulateComparison& comparison);

}  // namespace meshmul::cli
