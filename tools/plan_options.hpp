#pragma once
// The options of `meshmul plan`.

#include "pictures.hpp"
#include "statement_options.hpp"

namespace meshmul::cli {

struct PlanVerbOptions {
  StatementOptions statement;
  bool markdown = false;
  bool pareto = false;
  PictureOptions pictures;
};

}  // namespace meshmul::cli
