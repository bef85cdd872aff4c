#pragma once
// What a way costs, in words and numbers: steps, totals, figures of collectives and of the chip, and a cheaper plan.

#include "cost_options.hpp"
#include "json.hpp"
#include "meshmul/way.hpp"

namespace meshmul::cli {

/// A way, its price, and the plan that does the same in less time, if there is one.
struct WayCost {
  Way way;
  PricedWay priced;
  std::optional<Plan> cheaper;
};

/// Prices `way`, and asks the planner for something cheaper where the way does one statement.
WayCost cost_of(Way way, const CostQuestion& question);

/// The time that counts.
double seconds(const PricedWay& priced, const CostQuestion& question);

/// Where it is priced, steps and totals.
std::string steps_text(const WayCost& cost, const CostQuestion& question);
/// The same and everything else.
std::string as_text(const WayCost& cost, const CostQuestion& question);
Json as_json(const WayCost& cost, const CostQuestion& question);

}  // namespace meshmul::cli
