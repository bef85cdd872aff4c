#pragma once
// What a network charges for moving a byte, by the way in which it moves.

#include "meshmul/cost_model.hpp"

namespace meshmul {

/// Multiplied by the bytes that docs/cost-model.md calls V (gathers and reductions) or v (exchanges and messages).
struct Charge {
  double seconds_per_byte = 0;
  double link_per_byte = 0;    ///< bytes over the busiest link in its busier direction; on a switch out of one port
  double sent_per_byte = 0;    ///< bytes that a device sends, forwarded ones too; the mean of all devices
  double hops = 0;             ///< of the byte that goes farthest
  double latency_seconds = 0;  ///< of those hops
};

/// The charges along one set of axes.
struct Charges {
  Charge gather;      ///< AllGather, and ReduceScatter, which is the same backwards
  Charge all_reduce;  ///< twice that, unless the network adds up
  Charge exchange;    ///< all with all
  Charge message;     ///< from any device to any other
};

inline Charge twice(const Charge& once) {
  return {2 * once.seconds_per_byte, 2 * once.link_per_byte, 2 * once.sent_per_byte, 2 * once.hops,
          2 * once.latency_seconds};
}

/// docs/cost-model.md, formula (10): the share of V that has to come to a device of a group of `group`, over `links` at
/// once. 1 in the limit, (N - 1) / N of N devices, and ceil((N - 1) / links) links / N if the N chunks are never cut.
/// 0 for a group of one device.
double share_of_others(CountRule count, double group, double links);

}  // namespace meshmul
