#pragma once
// The settings of the cost model: what a network is taken for, how devices are counted, what a hop costs. Formulas:
// docs/cost-model.md.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul {

/// Which axes of a torus close to rings.
enum class TopologyRule {
  kSlice,  ///< those that do on the slice at hand, by the rules of the chip
  kWrap,   ///< all
  kLine,   ///< none
};
std::string_view name(TopologyRule rule);

/// How many devices share the work of a collective along the rings of a torus. On a switch it is always N.
enum class CountRule {
  kLimit,       ///< so many that a device's own part does not count: V / W
  kFinite,      ///< N: V (N - 1) / (N W), the least that any algorithm can do
  kWholeChunk,  ///< N, and chunks are never cut: an even ring of N takes N / 2 hops of a whole chunk each way
};
std::string_view name(CountRule rule);

/// How the latency of hops and the time of bytes make the time of a move.
enum class LatencyRule {
  kMax,   ///< the larger of the two
  kSum,   ///< their sum
  kNone,  ///< hops are free, or are part of a measured bandwidth
};
std::string_view name(LatencyRule rule);

struct CostSettings {
  TopologyRule topology = TopologyRule::kSlice;
  CountRule count = CountRule::kFinite;
  bool both_ways = true;  ///< rings send in both directions
  LatencyRule latency = LatencyRule::kSum;
  bool measured_bandwidth = false;    ///< bandwidth by bytes from the tables of the profile, where it has them
  bool in_network_reduction = false;  ///< switches add up: an AllReduce costs its own bytes once
  bool efficiency = false;            ///< products run at the efficiency of the profile, not at its peak

  bool operator==(const CostSettings&) const = default;
};

/// `book` = wrap, limit, max; `exact` = slice, finite, sum; `measured` = slice, finite, none, with measured bandwidth and
/// efficiency. All send both ways. Nothing for another name.
std::optional<CostSettings> find_cost_model(std::string_view name);
std::vector<std::string_view> cost_model_names();

/// Reads what `to_string` writes: the name of a model, then what differs from it, between commas; without a name `exact`.
/// Throws Error(kInvalidArgument) with the place of a phrase that is not known.
CostSettings parse_cost_settings(std::string_view text);

/// `exact`, or `exact, topology line, one way` where settings differ from those of the nearest name.
std::string to_string(const CostSettings& settings);

}  // namespace meshmul
