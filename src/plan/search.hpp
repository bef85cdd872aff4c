#pragma once
// The complete search: every compute layout of a product with the best moves around it, every path of a reshard.

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "meshmul/plan.hpp"
#include "plan/machine.hpp"
#include "plan/packed_sharding.hpp"
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
  double least_memory_bytes = 0;      ///< of all ways, if none fits
};

struct SearchOptions {
  std::size_t max_rejected = 15;
  double memory_limit = std::numeric_limits<double>::infinity();
  bool overlapped = false;
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

inline double counted_seconds(const Price& price, const SearchOptions& options) {
  return options.overlapped ? price.seconds_overlapped() : price.seconds_sequential();
}

/// Limits for the time of ways, to be tried one after the other where the least that any can take is known: the first few
/// are near it, where a search is quick; the last is none.
std::vector<double> rising_limits(double least_seconds);

/// What `options` and the memory of `hardware` ask of a search.
SearchOptions search_options(const Hardware& hardware, const PlanOptions& options);

/// The search of one statement on one machine. All ways are considered.
class MachineSearch {
 public:
  MachineSearch() = default;
  MachineSearch(const MachineSearch&) = delete;
  MachineSearch& operator=(const MachineSearch&) = delete;
  virtual ~MachineSearch() = default;

  /// No way takes less, by the time that counts.
  virtual double least_seconds(const SearchOptions& options) const = 0;

  /// Everything that is asked for.
  virtual SearchResult run(const SearchOptions& options) const = 0;

  /// The same of the ways that take at most `seconds`; also some, but not all, of those that take longer.
  virtual SearchResult within(double seconds, const SearchOptions& options) const = 0;
};

class ProductSpace;

/// The search of one statement on several machines. What does not depend on them is made once.
class StatementSearch {
 public:
  /// `any` is one of the machines: they differ in their placement alone. The references must outlive it.
  StatementSearch(const Statement& statement, const Mesh& mesh, const Machine& any, std::optional<Dtype> wire_dtype);
  ~StatementSearch();
  StatementSearch(const StatementSearch&) = delete;
  StatementSearch& operator=(const StatementSearch&) = delete;

  /// Keeps references to `machine` and to this.
  std::unique_ptr<const MachineSearch> on(const Machine& machine) const;

 private:
  const Statement& statement_;
  AxisNumbering axes_;
  std::unique_ptr<const ProductSpace> product_;  // null for other statements
};

/// Of a product.
std::unique_ptr<const MachineSearch> product_search(const ProductSpace& space, const Machine& machine);

/// Of a change of sharding. Also of an array whose shape stays the same: then the one step is a slice without axes, a copy.
std::unique_ptr<const MachineSearch> reshard_search(const Reshard& reshard, const AxisNumbering& axes,
                                                    const Machine& machine);

/// The one move that the collective is, or a copy if all its axes have size 1. Its searches throw
/// Error(kInvalidArgument) if another move leads from one side to the other.
std::unique_ptr<const MachineSearch> collective_search(const Collective& collective, const AxisNumbering& axes,
                                                       const Machine& machine);

}  // namespace meshmul
