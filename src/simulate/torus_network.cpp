#include "torus_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "picoseconds.hpp"

namespace meshmul::simulation {

TorusNetwork::TorusNetwork(const Mesh& mesh, const Hardware& hardware, const Topology& topology,
                           const SimulateOptions& options)
    : num_ranks_(mesh.num_devices()),
      rate_(hardware.network.link_bytes_per_second / options.ranks_per_chip),
      hop_ps_(options.cost.latency == LatencyRule::kNone ? 0 : picoseconds(hardware.network.hop_seconds)),
      full_duplex_(hardware.network.full_duplex),
      both_ways_(options.cost.both_ways) {
  // Ranks are row-major over mesh axes, and a mesh axis is row-major over its rings and lines.
  std::int64_t stride = num_ranks_;
  for (const std::vector<TorusAxis>& mesh_axis : topology.torus)
    for (const TorusAxis& axis : mesh_axis) {
      stride /= axis.size;
      dimensions_.push_back({static_cast<int>(axis.size), static_cast<int>(stride), axis.wraps});
    }
}

int TorusNetwork::step(int rank, int& at, const Dimension& dimension, Direction direction) {
  const int last = dimension.size - 1;
  const int before = at;
  if (direction == kUp)
    at = at == last ? 0 : at + 1;
  else
    at = at == 0 ? last : at - 1;
  return rank + (at - before) * dimension.stride;
}

std::pair<int, TorusNetwork::Direction> TorusNetwork::way(int from, int to, const Dimension& dimension,
                                                          Turn turn) const {
  if (!dimension.wraps) return to >= from ? std::pair(to - from, kUp) : std::pair(from - to, kDown);
  const int up = to >= from ? to - from : to - from + dimension.size;
  const int down = dimension.size - up;
  // Of two ways that are as short, neighbours take different ones.
  const bool first_is_up = from % 2 == 0;
  const bool goes_up = !both_ways_ || up < down || (up == down && (turn == Turn::kFirst) == first_is_up);
  return goes_up ? std::pair(up, kUp) : std::pair(down, kDown);
}

// A link that is not full duplex goes by the name of the rank below it, for both directions.
void TorusNetwork::find_route(int src, int dst, Asker, Turn turn, Route& route) const {
  route.clear();
  int rank = src;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const Dimension& dimension = dimensions_[d];
    int at = dimension.coordinate(src);
    auto [hops, direction] = way(at, dimension.coordinate(dst), dimension, turn);
    for (; hops > 0; --hops) {
      const int next = step(rank, at, dimension, direction);
      const bool is_own = full_duplex_ || direction == kUp;
      route.push_back({is_own ? number_of_link(rank, d, direction) : number_of_link(next, d, kUp), hop_ps_});
      rank = next;
    }
  }
}

std::int32_t TorusNetwork::num_links() const {
  return static_cast<std::int32_t>(static_cast<std::size_t>(num_ranks_) * dimensions_.size() * 2);
}

Link TorusNetwork::link(std::int32_t number) const {
  const auto place = static_cast<std::size_t>(number) / 2;
  const auto rank = static_cast<int>(place / dimensions_.size());
  const Dimension& dimension = dimensions_[place % dimensions_.size()];
  const bool up = number % 2 == 0;
  int at = dimension.coordinate(rank);
  const int to = step(rank, at, dimension, up ? kUp : kDown);
  const std::string_view arrow = full_duplex_ ? "->" : "--";
  // Between two devices of a ring there are two links.
  const std::string_view around = dimension.size == 2 && dimension.wraps && !up ? " round" : "";
  return {fmt::format("{} {} {}{}", rank, arrow, to, around), rank, to};
}

}  // namespace meshmul::simulation
