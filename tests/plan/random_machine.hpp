#pragma once
// Random networks with a model of their costs, for rapidcheck.

#include <rapidcheck.h>

#include <ostream>

#include "meshmul/plan.hpp"
#include "plan/toy_hardware.hpp"

namespace meshmul::testing {

struct PricedMachine {
  Hardware hardware;
  PlanOptions options;

  bool is_measured() const { return options.cost.measured_bandwidth; }
};

inline void showValue(const PricedMachine& machine, std::ostream& os) {
  const Network& network = machine.hardware.network;
  os << to_string(machine.options.cost) << ", " << name(network.kind) << ", wrap " << name(network.wrap.kind)
     << (network.full_duplex ? "" : ", not full duplex") << ", matrix unit " << machine.hardware.chip.matrix_unit;
}

/// `book`, `exact` or `measured` on rings, on lines, on both, or on a switch; now and then rings that send one way, and
/// links that are not full duplex.
inline rc::Gen<PricedMachine> any_machine() {
  return rc::gen::exec([] {
    const auto coin = [] { return *rc::gen::inRange(0, 3) == 0; };
    PricedMachine machine{toy_hardware(coin() ? NetworkKind::kSwitch : NetworkKind::kTorus), {}};
    const char* model = *rc::gen::element("book", "exact", "measured");
    machine.options.cost = *find_cost_model(model);
    machine.options.cost.both_ways = !coin();
    machine.hardware.chip.matrix_unit = *rc::gen::element(1, 4, 16);
    machine.hardware.chip.efficiency = 0.5;
    Network& network = machine.hardware.network;
    network.full_duplex = !coin();
    network.wrap.kind = *rc::gen::element(WrapRule::Kind::kAll, WrapRule::Kind::kNone, WrapRule::Kind::kLength,
                                          WrapRule::Kind::kWholeCubes);
    network.wrap.size = 2;
    // Time rises with bytes from point to point.
    network.measured = {{"AllGather", {8, 512, 4096}, {4e3, 3e4, 4e4}}, {"AllReduce", {16, 1024}, {1e4, 2e4}}};
    return machine;
  });
}

}  // namespace meshmul::testing
