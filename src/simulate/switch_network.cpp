#include "switch_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "picoseconds.hpp"

namespace meshmul::simulation {
namespace {

std::int64_t latency(double hop_seconds, const SimulateOptions& options) {
  return options.cost.latency == LatencyRule::kNone ? 0 : picoseconds(hop_seconds);
}

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) product *= size;
  return product;
}

}  // namespace

SwitchNetwork::SwitchNetwork(const Mesh& mesh, const Hardware& hardware, const Topology& topology,
                             const SimulateOptions& options)
    : full_duplex_(hardware.network.full_duplex),
      ranks_per_chip_(options.ranks_per_chip),
      num_nodes_(static_cast<int>(product(topology.across_nodes))),
      rank_at_(static_cast<std::size_t>(num_nodes_)),
      port_rate_(hardware.network.link_bytes_per_second),
      node_rate_(hardware.network.nodes ? hardware.network.nodes->bytes_per_second : port_rate_),
      hop_ps_(latency(hardware.network.hop_seconds, options)),
      node_hop_ps_(hardware.network.nodes ? latency(hardware.network.nodes->hop_seconds, options) : 0) {
  const auto places = static_cast<std::size_t>(product(topology.in_node));
  for (std::vector<int>& ranks : rank_at_) ranks.resize(places);
  for (int rank = 0; rank < mesh.num_devices(); ++rank) {
    const Seat seat = seat_of(mesh, topology, rank);
    seats_.push_back(seat);
    rank_at_[static_cast<std::size_t>(seat.node)][static_cast<std::size_t>(seat.place)] = rank;
  }
}

// Along each mesh axis neighbours share a node as far as its devices go.
SwitchNetwork::Seat SwitchNetwork::seat_of(const Mesh& mesh, const Topology& topology, int rank) const {
  Seat seat;
  for (int axis = 0; axis < mesh.num_axes(); ++axis) {
    const auto in_node = static_cast<int>(topology.in_node[static_cast<std::size_t>(axis)]);
    const auto across = static_cast<int>(topology.across_nodes[static_cast<std::size_t>(axis)]);
    const int coordinate = mesh.coordinate(rank, axis);
    seat.node = seat.node * across + coordinate / in_node;
    seat.place = seat.place * in_node + coordinate % in_node;
  }
  return seat;
}

void SwitchNetwork::find_route(int src, int dst, Asker asker, Turn, Route& route) const {
  const Seat from = seats_[static_cast<std::size_t>(src)];
  const Seat to = seats_[static_cast<std::size_t>(dst)];
  const int relay = rank_at_[static_cast<std::size_t>(from.node)][static_cast<std::size_t>(to.place)];
  route.clear();
  if (relay != src) route = {{out(src), hop_ps_}, {in(relay), 0}};
  if (from.node != to.node) {
    route.push_back({node_out(from.node), node_hop_ps_});
    route.push_back({node_in(to.node), 0});
  }
  if (asker == Asker::kSender) return;
  // Taken from the reader back to the sender; between two ports lies the same latency.
  std::reverse(route.begin(), route.end());
  for (std::size_t i = 0; i + 1 < route.size(); i += 2) std::swap(route[i].latency_ps, route[i + 1].latency_ps);
}

std::int32_t SwitchNetwork::num_links() const { return first_node_port() + 2 * num_nodes_; }

Link SwitchNetwork::link(std::int32_t number) const {
  const bool of_node = level(number) == 1;
  const std::int32_t port = of_node ? number - first_node_port() : number;
  const bool goes_out = port % 2 == 0;
  const std::string_view direction = !full_duplex_ ? "" : goes_out ? " out" : " in";
  const std::string_view owner = of_node ? "node" : ranks_per_chip_ > 1 ? "chip" : "rank";
  std::string name = fmt::format("{} {}{}", owner, port / 2, direction);
  if (of_node) return {std::move(name), Link::kNetwork, Link::kNetwork};
  const int rank = port / 2 * ranks_per_chip_;
  return goes_out ? Link{std::move(name), rank, Link::kSwitch} : Link{std::move(name), Link::kSwitch, rank};
}

}  // namespace meshmul::simulation
