#include "simulate_plan.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/word_list.hpp"
#include "meshmul/error.hpp"
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

std::vector<Plan> plans_to_try(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                               const PlanOptions& options) {
  constexpr std::size_t kMostPlans = 8;
  std::vector<Plan> plans = {plan(statement, mesh, hardware, options)};
  if (options.mapping) return plans;
  const auto seconds = [&](const Plan& p) { return options.overlapped ? p.seconds_overlapped : p.seconds_sequential; };
  const Plan best = plans.front();
  for (const Placement& placement : placements(mesh, hardware, options.cost.topology)) {
    if (plans.size() == kMostPlans) break;
    if (placement.slice == best.slice && placement.mapping == best.mapping) continue;
    Hardware there = hardware;
    there.slice = placement.slice;
    PlanOptions options_there = options;
    options_there.mapping = placement.mapping;
    Plan found = plan(statement, mesh, there, options_there);
    if (seconds(found) <= seconds(best) * (1 + 1e-9)) plans.push_back(std::move(found));
  }
  return plans;
}

Simulated simulate_by(const LowerOptions& way, const Plan& plan, const SimulateTarget& target) {
  const Topology topology = topology_of(plan, target.hardware);
  std::optional<Representative> group = group_of(plan, topology, target);
  Schedule schedule = legalize(lower(group ? group->plan : plan, way), target.capabilities);
  Timeline timeline =
      simulate(schedule, group ? group->hardware : target.hardware, group ? group->topology : topology, target.options);
  return {way, std::move(schedule), std::move(timeline), std::move(group)};
}

}  // namespace meshmul::cli
