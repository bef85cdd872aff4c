#include "simulate_program.hpp"

#include <utility>

namespace meshmul::cli {

SimulatedProgram simulate_program(const Program& program, const Mesh& mesh, const CompileOptions& compile,
                                  const SimulateTarget& target) {
  SimulatedProgram result{plan(program, mesh, target.hardware, compile.plan), {}, {}};
  const std::optional<std::int64_t> limit = compile.plan.memory_bytes;
  if (!compile.lower) {
    result.candidates = tune(result.plan, target.hardware, target.capabilities, target.options, limit);
    if (limit) std::erase_if(result.candidates, [&](const ProgramCandidate& c) { return c.bytes_per_rank > *limit; });
  }
  const ProgramWay way =
      compile.lower ? applied(*compile.lower, compile.products, result.plan) : fastest(result.candidates);
  Schedule schedule = legalize(lower(result.plan, way), target.capabilities);
  const std::int64_t bytes = bytes_per_rank(schedule);
  if (limit && bytes > *limit) refuse_memory(result.plan, way, bytes, *limit, target.hardware, target.capabilities);
  Timeline timeline = simulate(schedule, target.hardware, topology_of(result.plan, target.hardware), target.options);
  if (result.candidates.empty()) result.candidates.push_back({way, timeline.makespan_ps, bytes});
  result.simulated = {to_string(way), std::move(schedule), std::move(timeline), {}};
  return result;
}

}  // namespace meshmul::cli
