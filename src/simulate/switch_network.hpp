#pragma once
// A switch that every device has one port to; perhaps one a node, with a network between the nodes.

#include "network.hpp"

namespace meshmul::simulation {

/// Bytes for another node go out of their node and into the other. If they are for another place there, the device at that
/// place hands them on, so they pass the switch of their own node before: formula (13) of docs/cost-model.md.
class SwitchNetwork : public Network {
 public:
  SwitchNetwork(const Mesh& mesh, const Hardware& hardware, const Topology& topology, const SimulateOptions& options);

  void find_route(int src, int dst, Asker asker, Turn turn, Route& route) const override;
  std::int32_t num_links() const override;
  int level(std::int32_t link) const override { return link < first_node_port() ? 0 : 1; }
  double rate(int level) const override { return level == 0 ? port_rate_ : node_rate_; }
  Link link(std::int32_t number) const override;

 private:
  // Where a rank lies.
  struct Seat {
    int node = 0;
    int place = 0;  // in the node
  };
  Seat seat_of(const Mesh& mesh, const Topology& topology, int rank) const;

  // Ranks of one chip have one port.
  std::int32_t out(int rank) const { return 2 * (rank / ranks_per_chip_); }
  std::int32_t in(int rank) const { return out(rank) + (full_duplex_ ? 1 : 0); }
  std::int32_t first_node_port() const { return out(static_cast<int>(seats_.size()) - 1) + 2; }
  std::int32_t node_out(int node) const { return first_node_port() + 2 * node; }
  std::int32_t node_in(int node) const { return node_out(node) + (full_duplex_ ? 1 : 0); }

  bool full_duplex_;
  int ranks_per_chip_;
  int num_nodes_ = 1;
  std::vector<Seat> seats_;                // by rank
  std::vector<std::vector<int>> rank_at_;  // by node and place
  double port_rate_, node_rate_;
  std::int64_t hop_ps_, node_hop_ps_;
};

}  // namespace meshmul::simulation
