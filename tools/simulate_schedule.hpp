#pragma once
// A schedule on the hardware as it lies there best.

#include "meshmul/hardware.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/simulate.hpp"
#include "meshmul/topology.hpp"
#include "model_options.hpp"

namespace meshmul::cli {

struct PlacedTimeline {
  PlanOptions model;
  Placement placement;
  Timeline timeline;
};

/// Simulates `schedule` on the placement that `model` names, or else on each that there is for its mesh, and takes the
/// fastest; of equal ones the first. The costs of `options` are those of `model`.
PlacedTimeline simulate_placed(const Schedule& schedule, const Hardware& hardware, const ModelOptions& model,
                               SimulateOptions options = {});

}  // namespace meshmul::cli
