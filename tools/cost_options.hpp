#pragma once
// The options of `meshmul cost`, and what every answer of it is made from.

#include <optional>

#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "statement_options.hpp"

namespace meshmul::cli {

struct CostOptions {
  StatementOptions statement;
  std::string device;
  std::string against;
  std::string solve;
  bool overlap = false;
};

/// What the options mean.
struct CostQuestion {
  Mesh mesh;
  Hardware hardware;
  bool hardware_given = false;
  PlanOptions plan;
  std::optional<int> device;  ///< whose indices are asked for
  bool json = false;
};

}  // namespace meshmul::cli
