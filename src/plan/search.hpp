#pragma once
// The complete search: every compute layout of a product with the best moves around it, every path of a reshard.

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "meshmul/plan.hpp"
#include "plan/machine.hpp"
#include "plan/ranking.hpp"

namespace meshmul {

/// A way with its steps written out.
struct PricedSteps {
  Price price;
  std::vector<Step> steps;
};

struct SearchResult {
  std::optional<PricedSteps> best;    ///< nothing if none fits
  std::vector<PricedSteps> rejected;  ///< best first; also those that do not fit
  double least_memory_bytes = 0;      ///< of all ways
};

/// What a ranking holds, with the steps that `written_out` gives of a way.
template <class Way, class WriteOut>
SearchResult search_result(const Ranking<Way>& ranking, std::size_t max_rejected, WriteOut written_out) {
  SearchResult result;
  result.least_memory_bytes = ranking.least_memory_bytes();
  if (!ranking.fitting().empty())
    result.best = {ranking.fitting().front().price, written_out(ranking.fitting().front())};
  for (const Way& way : ranking.rejected())
    if (result.rejected.size() < max_rejected) result.rejected.push_back({way.price, written_out(way)});
  return result;
}

struct SearchOptions {
  std::size_t max_rejected = 15;
  double memory_limit = std::numeric_limits<double>::infinity();
  /// Ways that take longer need not be found, by the time that counts.
  double seconds_limit = std::numeric_limits<double>::infinity();
  bool overlapped = false;
  std::optional<Dtype> wire_dtype;
};

SearchResult search_product(const Product& product, const Mesh& mesh, const Machine& machine,
                            const SearchOptions& options);

/// Also of an array whose shape stays the same: then the one step is a slice without axes, a copy.
SearchResult search_reshard(const Reshard& reshard, const Mesh& mesh, const Machine& machine,
                            const SearchOptions& options);

/// No search: the one move that the collective is, or a copy if all its axes have size 1.
SearchResult price_collective(const Collective& collective, const Mesh& mesh, const Machine& machine,
                              const SearchOptions& options);

}  // namespace meshmul
