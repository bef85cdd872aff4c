#pragma once
// The routes that a program uses, each kept once, and which of two shortest ways a transfer takes.

#include <cstdint>
#include <vector>

#include "network.hpp"

namespace meshmul::simulation {

/// Part of the list of hops.
struct RouteSpan {
  std::uint32_t first_hop = 0;
  std::uint32_t num_hops = 0;
  std::int64_t latency_ps = 0;  ///< of all hops
};

/// A hop of a kept route. There are many of them, and few different latencies.
struct KeptHop {
  std::int32_t link = 0;
  std::uint32_t latency = 0;  ///< its number
};

struct KeptHops {
  std::vector<KeptHop> hops;  ///< of all routes, one behind the other
  std::vector<std::int64_t> latencies_ps;

  std::int64_t latency_ps(const KeptHop& hop) const { return latencies_ps[hop.latency]; }
};

class RouteTable {
 public:
  RouteTable(const Network& network, int num_ranks)
      : network_(network), ties_(static_cast<std::size_t>(num_ranks)), numbers_(static_cast<std::size_t>(num_ranks)) {}

  /// The links from `src` to another rank `dst`. Where there are two shortest ways, the transfers of one rank take them
  /// in turn.
  RouteSpan find(int src, int dst, Asker asker);

  KeptHops take_hops() && { return std::move(hops_); }

 private:
  struct Ways {
    RouteSpan first, second;
    bool tie = false;
  };
  Ways make(int src, int dst, Asker asker);
  RouteSpan keep(const Route& route);
  std::uint32_t latency_number(std::int64_t latency_ps);

  const Network& network_;
  std::vector<std::uint32_t> ties_;                  // by rank, how often it had to choose
  std::vector<std::vector<std::uint32_t>> numbers_;  // by `src`, then by `dst` and asker: that of their ways
  std::vector<Ways> ways_;
  Route first_, second_;  // of the ways at hand
  KeptHops hops_;
};

}  // namespace meshmul::simulation
