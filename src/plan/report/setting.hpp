#pragma once
// Where and by what something was planned or priced: mesh, hardware, how the one lies on the other, and what counts.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/cost_model.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/topology.hpp"
#include "plan/report/step_json.hpp"

namespace meshmul {

/// Keeps references to what it was made of.
struct Setting {
  const Mesh& mesh;
  std::string_view hardware;
  const CostSettings& cost;
  const std::vector<std::int64_t>& slice;
  const Mapping& mapping;
};

/// Of a Plan or a ProgramPlan.
template <class AnyPlan>
Setting setting_of(const AnyPlan& plan) {
  return {plan.mesh, plan.hardware, plan.cost, plan.slice, plan.mapping};
}

/// `mesh X=4,Y=4 on v5e:4x4 with --map X=0,Y=1, model exact`; without a slice `mesh X=4,Y=4 on v5e, model exact`. The map
/// is left out where all lies on one axis of the hardware.
std::string setting_sentence(const Setting& setting);

/// The members `mesh`, `hardware`, `model`, and `slice` and `map` where there are any; `map` is what --map takes.
Json setting_json(const Setting& setting);

}  // namespace meshmul
