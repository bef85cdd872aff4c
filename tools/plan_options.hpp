#pragma once
// The options of `meshmul plan`.

#include "statement_options.hpp"

namespace meshmul::cli {

struct PlanVerbOptions {
  StatementOptions statement;
  bool markdown = false;
  bool pareto = false;
};

}  // namespace meshmul::cli
