#include "plan/cost/torus.hpp"

#include <algorithm>
#include <cmath>

namespace meshmul {
namespace {

enum class Form { kRingBothWays, kRingOneWay, kLine };

Form form_of(const TorusAxis& axis, const CostSettings& settings) {
  if (!axis.wraps) return Form::kLine;
  return settings.both_ways ? Form::kRingBothWays : Form::kRingOneWay;
}

/// What one axis does for a gather, in units of one link in one direction.
struct GatherLinks {
  double inward = 0;    ///< links over which the device that is worst off receives
  double capacity = 0;  ///< what they bring at once
  double hops = 0;      ///< to the farthest device
};

GatherLinks gather_links(Form form, double size, bool limit, bool full_duplex) {
  switch (form) {
    case Form::kRingBothWays: return {2, full_duplex ? 2.0 : 1.0, limit ? size / 2 : std::floor(size / 2)};
    case Form::kRingOneWay: return {1, 1, size - 1};
    // The ends have one link. Where its directions share, it carries all N chunks instead of N - 1.
    case Form::kLine: return {1, full_duplex || limit ? 1 : (size - 1) / size, size - 1};
  }
  __builtin_unreachable();
}

/// What one axis carries in an exchange of all with all, per byte that a device holds.
struct ExchangeLoad {
  double busiest_link = 0;  ///< bytes, in one direction
  double mean_hops = 0;     ///< of a byte
  double hops = 0;          ///< to the farthest device
};

ExchangeLoad exchange_load(Form form, double size, bool limit) {
  switch (form) {
    // Every block takes its short side; the block for the opposite device is halved, or goes either way in turn.
    case Form::kRingBothWays: {
      const bool even = std::fmod(size, 2) == 0;
      const double mean_hops = (even || limit ? size : size - 1 / size) / 4;
      return {mean_hops / 2, mean_hops, std::floor(size / 2)};
    }
    case Form::kRingOneWay: {
      const double mean_hops = (limit ? size : size - 1) / 2;
      return {mean_hops, mean_hops, size - 1};
    }
    // All blocks between the halves cross the link in the middle.
    case Form::kLine:
      return {limit ? size / 4 : std::floor(size / 2) * std::ceil(size / 2) / size,
              (limit ? size : size - 1 / size) / 3, size - 1};
  }
  __builtin_unreachable();
}

}  // namespace

Charges torus_charges(std::span<const TorusAxis> axes, const Network& network, const CostSettings& settings) {
  const bool limit = settings.count == CountRule::kLimit;
  double group = 1;
  GatherLinks links;       // of all axes together
  ExchangeLoad exchanged;  // the same, of the busiest axis
  double exchange_time = 0;
  for (const TorusAxis& axis : axes) {
    const Form form = form_of(axis, settings);
    const auto size = static_cast<double>(axis.size);
    group *= size;
    const GatherLinks gather = gather_links(form, size, limit, network.full_duplex);
    links.inward += gather.inward;
    links.capacity += gather.capacity;
    links.hops += gather.hops;
    const ExchangeLoad load = exchange_load(form, size, limit);
    const bool directions_share = !network.full_duplex && form != Form::kRingOneWay;
    exchange_time = std::max(exchange_time, directions_share ? 2 * load.busiest_link : load.busiest_link);
    exchanged.busiest_link = std::max(exchanged.busiest_link, load.busiest_link);
    exchanged.mean_hops += load.mean_hops;
    exchanged.hops += load.hops;
  }
  const double seconds = 1 / network.link_bytes_per_second;
  const auto charge = [&](double time, double on_link, double sent, double hops) {
    return Charge{time * seconds, on_link, sent, hops, hops * network.hop_seconds};
  };
  // (1) V share / (sum of capacities): a device receives over all its links at once.
  const double share = share_of_others(settings.count, group, links.inward);
  const double received = share / links.capacity;
  const Charge gather = charge(received, received, limit ? 1 : (group - 1) / group, links.hops);
  // (3) The axes work side by side, each at the pace of its busiest link.
  const Charge exchange = charge(exchange_time, exchanged.busiest_link, exchanged.mean_hops, exchanged.hops);
  // (4) As (3), but a device receives no faster than over all its links, and than by (1).
  const double inward = std::max(share, 1.0) / links.capacity;
  const Charge message = charge(std::max(inward, exchange_time), std::max(inward, exchanged.busiest_link),
                                std::max(1.0, exchanged.mean_hops), links.hops);
  // (2) A ReduceScatter and an AllGather.
  return {gather, twice(gather), exchange, message};
}

}  // namespace meshmul
