#pragma once
// Two ways beside each other, and the size at which they change places.

#include "cost_way.hpp"
#include "meshmul/crossover.hpp"

namespace meshmul::cli {

/// The second way against the first; with an unknown also where the other becomes the faster one.
struct CostComparison {
  WayCost first, second;
  std::optional<Crossover> crossover;
};

std::string as_text(const CostComparison& comparison, const CostQuestion& question);
Json as_json(const CostComparison& comparison, const CostQuestion& question);

/// Where the products of a way begin, or cease, to take longer than its moves.
std::string balance_text(const Crossover& balance);
Json as_json(const Crossover& crossover);

}  // namespace meshmul::cli
