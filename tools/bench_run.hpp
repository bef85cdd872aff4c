#pragma once
// What all that `meshmul bench` measures has in common: the ranks, how often, and how it is shown while it runs.

#include <string>
#include <vector>

#include "json.hpp"
#include "measure/estimate.hpp"
#include "measure/in_turn.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul::cli {

struct BenchRun {
  Mesh mesh;
  const Executor* executor = nullptr;
  ExecuteOptions execute;
  Hardware hardware;  ///< by which plans are chosen
  int pairs = 31;
  double max_seconds = 20;        ///< of one statement, or one collective of one size
  std::vector<std::string> rows;  ///< products: only ways in whose names one of these stands; empty: all
};

/// Measures each of `contenders` next to `reference`, with a line of progress that names `what`. Pairs are missing where
/// Ctrl-C came first; there is one at least in all or in none.
std::vector<measure::Pairs> measure_in_turn(const std::string& what, const measure::Timed& reference,
                                            const std::vector<measure::Timed>& contenders, const BenchRun& run);

/// `0.981 [0.976, 0.985]`
std::string interval_text(const measure::Estimate& estimate);
/// `{"median": …, "low": …, "high": …, "coverage": …}`
Json as_json(const measure::Estimate& estimate);

/// What the figures were measured with: ranks, backend, cores, processor, and what memory allows, in words.
std::string conditions_text(const BenchRun& run);
Json conditions_json(const BenchRun& run);

}  // namespace meshmul::cli
