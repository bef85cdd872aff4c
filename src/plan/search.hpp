#pragma once
// The complete search: every compute layout of a product with the best moves around it, every path of a reshard.

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "meshmul/plan.hpp"
#include "plan/machine.hpp"
#include "plan/ranking.hpp"
#include "plan/way_front.hpp"

namespace meshmul {

/// A way with its steps written out.
struct PricedSteps {
  Price price;
  std::vector<Step> steps;
};

struct SearchResult {
  std::optional<PricedSteps> best;    ///< nothing if none fits
  std::vector<PricedSteps> rejected;  ///< best first; also those that do not fit
  std::vector<PricedSteps> front;     ///< that fit, of which no other is better in both time and memory; fastest first
  double least_memory_bytes = 0;      ///< of all ways
};

struct SearchOptions {
  std::size_t max_rejected = 15;
  double memory_limit = std::numeric_limits<double>::infinity();
  /// Ways that take longer need not be found, by the time that counts.
  double seconds_limit = std::numeric_limits<double>::infinity();
  bool overlapped = false;
  std::optional<Dtype> wire_dtype;
  bool for_front = false;  ///< look for `front` instead of `rejected`
};

/// What is asked for of the ways that `for_each_way` calls back with, each with the steps that `written_out` gives of it.
template <class Way, class ForEachWay, class WriteOut>
SearchResult search_result(const SearchOptions& options, ForEachWay for_each_way, WriteOut written_out) {
  SearchResult result;
  if (options.for_front) {
    WayFront<Way> front(options.memory_limit, options.overlapped);
    for_each_way([&](const Way& way) { front.add(way); });
    result.least_memory_bytes = front.least_memory_bytes();
    for (const Way& way : front.ways()) result.front.push_back({way.price, written_out(way)});
    if (!result.front.empty()) result.best = result.front.front();
    return result;
  }
  Ranking<Way> ranking(options.max_rejected + 1, options.memory_limit, options.overlapped);
  for_each_way([&](const Way& way) { ranking.add(way); });
  result.least_memory_bytes = ranking.least_memory_bytes();
  if (!ranking.fitting().empty())
    result.best = {ranking.fitting().front().price, written_out(ranking.fitting().front())};
  for (const Way& way : ranking.rejected())
    if (result.rejected.size() < options.max_rejected) result.rejected.push_back({way.price, written_out(way)});
  return result;
}

/// What `options` and the memory of `hardware` ask of a search.
SearchOptions search_options(const Hardware& hardware, const PlanOptions& options);

/// The one of the three below that `statement` needs.
SearchResult search(const Statement& statement, const Mesh& mesh, const Machine& machine, const SearchOptions& options);

SearchResult search_product(const Product& product, const Mesh& mesh, const Machine& machine,
                            const SearchOptions& options);

/// Also of an array whose shape stays the same: then the one step is a slice without axes, a copy.
SearchResult search_reshard(const Reshard& reshard, const Mesh& mesh, const Machine& machine,
                            const SearchOptions& options);

/// No search: the one move that the collective is, or a copy if all its axes have size 1.
SearchResult price_collective(const Collective& collective, const Mesh& mesh, const Machine& machine,
                              const SearchOptions& options);

}  // namespace meshmul
