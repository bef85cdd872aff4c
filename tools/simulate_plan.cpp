#include "simulate_plan.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/word_list.hpp"
#include "meshmul/error.hpp"
#include "meshmul/tune.hpp"
#include "schedule/builder.hpp"

namespace meshmul::cli {
namespace {

void check_size(const Mesh& group) {
  if (group.num_devices() <= ScheduleBuilder::kMaxRanks) return;
  std::vector<std::string> axes;
  for (const MeshAxis& axis : group.axes())
    if (axis.size > 1) axes.push_back(fmt::format("{}={}", axis.name, axis.size));
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("{} ranks hang together, and at most {} are simulated: along {} steps move bytes, cut an index "
                  "unevenly, or share a node, a core or a chip; expected smaller axes, or sizes that they divide",
                  group.num_devices(), ScheduleBuilder::kMaxRanks, word_list(axes, "and")));
}

std::optional<Representative> group_of(const Plan& plan, const Topology& topology, const SimulateTarget& target) {
  const bool is_large = plan.mesh.num_devices() > ScheduleBuilder::kMaxRanks;
  if (!target.one_group && !is_large) return std::nullopt;
  Representative group = representative(plan, target.hardware, topology, target.options);
  check_size(group.plan.mesh);
  if (group.num_groups == 1) return std::nullopt;
  return group;
}

}  // namespace

std::string note(const Representative& group, const Mesh& whole) {
  return fmt::format("{} of the mesh {}: ranks along the other axes do the same and meet these on no link",
                     group_phrase(group), whole.str());
}

Simulated simulate_by(const LowerOptions& way, const Plan& plan, const SimulateTarget& target) {
  const Topology topology = topology_of(plan, target.hardware);
  std::optional<Representative> group = group_of(plan, topology, target);
  Schedule schedule = legalize(lower(group ? group->plan : plan, way), target.capabilities);
  Timeline timeline =
      simulate(schedule, group ? group->hardware : target.hardware, group ? group->topology : topology, target.options);
  return {to_string(way), std::move(schedule), std::move(timeline), std::move(group)};
}

}  // namespace meshmul::cli
