#include "plan/cost/switch.hpp"

#include <algorithm>
#include <cassert>

namespace meshmul {
namespace {

/// What passes the port of each device, or the egress of each node, per byte of V or v; and the hop through the switch
/// behind it. Nothing if the group has one child there.
struct Level {
  double gather = 0, all_reduce = 0, exchange = 0, message = 0;
  double hops = 0;
};

/// (10) for a switch, by any rule of counting: the limit and whole chunks are of rings.
double share_of_others(double group) { return meshmul::share_of_others(CountRule::kFinite, group, 1); }

/// `share` is the part that comes from the other children of a level; `holds` how many times v, and `groups` how many
/// times V, leave by its uplink.
Level level(double share, double holds, double groups, bool adds_up) {
  if (share == 0) return {};
  return {groups * share, groups * (adds_up ? 1 : 2 * share), holds * share, holds, 1};
}

}  // namespace

Charges switch_charges(const NodeGroup& group, const Network& network, const CostSettings& settings) {
  assert(group.nodes == 1 || network.nodes);
  const bool adds_up = settings.in_network_reduction && network.reduces;
  const double in_node_share = share_of_others(group.devices);
  const double across_share = share_of_others(group.nodes);
  // (5) to (8): the port of a device. What other nodes send comes by the network, and is passed on in the node.
  const Level port = level(in_node_share, 1, 1, adds_up);
  // (11) to (14): the egress of a node, which all its groups share.
  const Level node = level(across_share, group.devices * group.groups_in_node, group.groups_in_node, adds_up);

  const double port_seconds = (network.full_duplex ? 1 : 2) / network.link_bytes_per_second;
  const double node_seconds = network.nodes ? 1 / network.nodes->bytes_per_second : 0;
  const double latency = port.hops * network.hop_seconds + (network.nodes ? node.hops * network.nodes->hop_seconds : 0);
  const auto charge = [&](double Level::* work, double sent, double times) {
    return Charge{std::max(port.*work * port_seconds, node.*work * node_seconds), port.*work, sent,
                  times * (port.hops + node.hops), times * latency};
  };
  const double received = share_of_others(group.devices * group.nodes);
  return {charge(&Level::gather, received, 1),
          adds_up ? charge(&Level::all_reduce, 1, 1) : charge(&Level::all_reduce, 2 * received, 2),
          charge(&Level::exchange, in_node_share + across_share, 1), charge(&Level::message, 1, 1)};
}

}  // namespace meshmul
