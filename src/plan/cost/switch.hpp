#pragma once
// Collectives through the switch of a node, and through the network between nodes.

#include "meshmul/hardware.hpp"
#include "plan/cost/charge.hpp"

namespace meshmul {

/// How the groups of a collective lie in nodes. Every group is like every other.
struct NodeGroup {
  double devices = 1;         ///< of one group in each of its nodes
  double nodes = 1;           ///< of one group
  double groups_in_node = 1;  ///< that share the egress of a node
};

/// docs/cost-model.md, formulas (5) to (8) inside a node, and (11) to (14) where `group` spans several; it has at least
/// two devices. `network` must describe its nodes if there are several.
Charges switch_charges(const NodeGroup& group, const Network& network, const CostSettings& settings);

}  // namespace meshmul
