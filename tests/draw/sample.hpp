#pragma once
// Plans with their schedules and timelines, to be drawn.

#include <algorithm>
#include <string_view>

#include "meshmul/draw.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/simulate.hpp"

namespace meshmul::testing {

/// As if the run had been a quarter slower than predicted, with no word of links.
inline Timeline measured_like(const Timeline& predicted) {
  Timeline measured = predicted;
  measured.measured = true;
  measured.links.clear();
  measured.link_uses.clear();
  measured.critical_path.clear();
  const auto slower = [](std::int64_t ps) { return ps + ps / 4; };
  for (Span& span : measured.spans) {
    span.start_ps = slower(span.start_ps);
    span.end_ps = slower(span.end_ps);
  }
  measured.makespan_ps = slower(predicted.makespan_ps);
  return measured;
}

struct Sample {
  Plan plan;
  Schedule schedule;
  Timeline predicted, measured;

  Drawing drawing() const { return {.plan = &plan, .schedule = &schedule, .predicted = &predicted}; }
  Drawing both() const {
    return {.plan = &plan, .schedule = &schedule, .predicted = &predicted, .measured = &measured};
  }
};

inline Sample sample(std::string_view statement_text, std::string_view mesh_text,
                     std::string_view hardware_name = "v5p", Algorithm algorithm = Algorithm::kRing) {
  const Mesh mesh = parse_mesh(mesh_text);
  const Hardware hardware = find_hardware(hardware_name);
  PlanOptions options;
  options.cost.topology = TopologyRule::kWrap;
  Sample sample;
  sample.plan = plan(parse_statement(statement_text, mesh), mesh, hardware, options);
  sample.schedule = lower(sample.plan, {algorithm});
  sample.predicted = simulate(sample.schedule, hardware, topology_of(sample.plan, hardware));
  sample.measured = measured_like(sample.predicted);
  return sample;
}

/// Gathers, multiplies and scatters on four ranks.
inline Sample small_sample() {
  return sample("bf16 A[I=512_X, J=1024_Y] * B[J=1024_Y, K=768] -> C[I_X, K_Y]", "X=2,Y=2");
}

}  // namespace meshmul::testing
