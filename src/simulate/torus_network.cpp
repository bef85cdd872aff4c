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
      dimensions_.push_back({axis.size, stride, axis.wraps});
    }
}

int TorusNetwork::neighbour(int rank, const Dimension& dimension, Direction direction) const {
  const std::int64_t at = rank / dimension.stride % dimension.size;
  const std::int64_t next = (at + (direction == kUp ? 1 : dimension.size - 1)) % dimension.size;
  return static_cast<int>(rank + (next - at) * dimension.stride);
}

// A link is named by the rank that sends over it. One that is not full duplex is the same for both directions.
std::int32_t TorusNetwork::number_of_link(int rank, std::size_t dimension, Direction direction) const {
  if (!full_duplex_ && direction == kDown)
    return number_of_link(neighbour(rank, dimensions_[dimension], kDown), dimension, kUp);
  const auto number = static_cast<std::size_t>(rank) * dimensions_.size() + dimension;
  return static_cast<std::int32_t>(number * 2 + (direction == kUp ? 0 : 1));
}

std::pair<std::int64_t, TorusNetwork::Direction> TorusNetwork::way(int src, int dst, const Dimension& dimension,
                                                                   Turn turn) const {
  const std::int64_t from = src / dimension.stride % dimension.size;
  const std::int64_t to = dst / dimension.stride % dimension.size;
  if (!dimension.wraps) return to >= from ? std::pair(to - from, kUp) : std::pair(from - to, kDown);
  const std::int64_t up = (to - from + dimension.size) % dimension.size;
  const std::int64_t down = dimension.size - up;
  // Of two ways that are as short, neighbours take different ones.
  const bool first_is_up = from % 2 == 0;
  const bool goes_up = !both_ways_ || up < down || (up == down && (turn == Turn::kFirst) == first_is_up);
  return goes_up ? std::pair(up, kUp) : std::pair(down, kDown);
}

Route TorusNetwork::route(int src, int dst, Asker, Turn turn) const {
  Route route;
  int at = src;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    auto [hops, direction] = way(src, dst, dimensions_[d], turn);
    for (; hops > 0; --hops) {
      route.push_back({number_of_link(at, d, direction), hop_ps_});
      at = neighbour(at, dimensions_[d], direction);
    }
  }
  return route;
}

std::int32_t TorusNetwork::num_links() const {
  return static_cast<std::int32_t>(static_cast<std::size_t>(num_ranks_) * dimensions_.size() * 2);
}

Link TorusNetwork::link(std::int32_t number) const {
  const auto place = static_cast<std::size_t>(number) / 2;
  const auto rank = static_cast<int>(place / dimensions_.size());
  const Dimension& dimension = dimensions_[place % dimensions_.size()];
  const bool up = number % 2 == 0;
  const int to = neighbour(rank, dimension, up ? kUp : kDown);
  const std::string_view arrow = full_duplex_ ? "->" : "--";
  // Between two devices of a ring there are two links.
  const std::string_view around = dimension.size == 2 && dimension.wraps && !up ? " round" : "";
  return {fmt::format("{} {} {}{}", rank, arrow, to, around), rank, to};
}

}  // namespace meshmul::simulation
