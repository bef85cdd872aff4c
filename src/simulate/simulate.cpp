// The stage in one call: checks, flattens, runs, and writes the timeline.

#include "meshmul/simulate.hpp"

#include <fmt/format.h>

#include <string_view>

#include "event_loop.hpp"
#include "host_loop.hpp"
#include "host_program.hpp"
#include "host_timeline.hpp"
#include "meshmul/error.hpp"
#include "network.hpp"
#include "program.hpp"
#include "record.hpp"
#include "verify/alike.hpp"
#include "verify/rules.hpp"

namespace meshmul {
namespace {

void check_sharing(int ranks, std::string_view what) {
  if (ranks < 1 || ranks > Mesh::kMaxDevices)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} ranks share a {}; expected 1 to {}", ranks, what, Mesh::kMaxDevices));
}

void require_none(const std::vector<Finding>& findings, const Schedule& schedule) {
  if (findings.empty()) return;
  throw Error(ErrorCode::kInvalidArgument,
              verification::first_and_others(verification::one_of_each_kind(findings, schedule), schedule));
}

void check(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options) {
  check_sharing(options.ranks_per_core, "core");
  check_sharing(options.ranks_per_memory, "memory");
  check_sharing(options.ranks_per_chip, "chip");
  require_none(verification::check_program(schedule), schedule);
  check_fits(schedule.contract.mesh, hardware);
}

Timeline simulate_on_host(const Schedule& schedule, const Hardware& hardware, const SimulateOptions& options) {
  const simulation::HostProgram program = simulation::flatten_for_host(schedule, hardware, options);
  simulation::HostLoop loop(program);
  loop.run();
  if (!loop.finished()) require_none(check_ends(schedule), schedule);
  return simulation::host_timeline(schedule, program, loop.trace());
}

}  // namespace

Timeline simulate(const Schedule& schedule, const Hardware& hardware, const Topology& topology,
                  const SimulateOptions& options) {
  check(schedule, hardware, options);
  if (hardware.host) return simulate_on_host(schedule, hardware, options);
  const auto network = simulation::make_network(schedule.contract.mesh, hardware, topology, options);
  const simulation::FlatProgram program = simulation::flatten(schedule, hardware, *network, options);
  simulation::Trace trace;
  simulation::EventLoop loop(program, &trace);
  loop.run();
  if (!loop.finished()) require_none(check_ends(schedule), schedule);
  return simulation::record(schedule, *network, program, trace);
}

namespace {

template <class AnyPlan>
Topology topology_of_plan(const AnyPlan& plan, const Hardware& hardware) {
  if (plan.mapping.axes.empty()) return placements(plan.mesh, hardware, plan.cost.topology).front().topology;
  Hardware sliced = hardware;
  sliced.slice = plan.slice;
  return resolve(plan.mapping, plan.mesh, sliced, plan.cost.topology);
}

}  // namespace

Topology topology_of(const Plan& plan, const Hardware& hardware) { return topology_of_plan(plan, hardware); }
Topology topology_of(const ProgramPlan& plan, const Hardware& hardware) { return topology_of_plan(plan, hardware); }

}  // namespace meshmul
