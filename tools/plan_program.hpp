#pragma once
// `meshmul plan FILE.mm`: plans a whole program.

#include "plan_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {

/// The statement in `plan_options` is the path. Errors in the text of the program name file, line and column.
Answer plan_program(const PlanVerbOptions& plan_options);

}  // namespace meshmul::cli
