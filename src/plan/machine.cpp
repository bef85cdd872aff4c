#include "plan/machine.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// The slice that a mapping without a slice in `hardware` means: `resolve` has made sure that there is one alone.
std::vector<std::int64_t> slice_of(const Mesh& mesh, const Hardware& hardware) {
  return hardware.slice.empty() ? slices_with(hardware, mesh.num_devices()).front() : hardware.slice;
}

std::vector<Placement> chosen_placements(const Mesh& mesh, const Hardware& hardware, const PlanOptions& options) {
  const TopologyRule rule = options.cost.topology;
  if (!options.mapping || options.mapping->axes.empty()) return placements(mesh, hardware, rule);
  Topology topology = resolve(*options.mapping, mesh, hardware, rule);
  return {{slice_of(mesh, hardware), *options.mapping, std::move(topology)}};
}

}  // namespace

std::vector<Machine> machines(const Mesh& mesh, const Hardware& hardware, const PlanOptions& options) {
  check_fits(mesh, hardware);
  if (options.cost.in_network_reduction && !hardware.network.reduces)
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("the network of {} adds up no partial sums; leave out in-network reduction", hardware.name));
  std::vector<Machine> machines;
  for (Placement& placement : chosen_placements(mesh, hardware, options))
    machines.push_back({hardware, options.cost, std::move(placement)});
  return machines;
}

}  // namespace meshmul
