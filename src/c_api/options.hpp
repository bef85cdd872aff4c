#pragma once
// Options as texts, by the names that they have on the command line.

#include <optional>
#include <string>

#include "meshmul/c_api.h"
#include "meshmul/compile.hpp"
#include "meshmul/execute.hpp"

struct meshmul_options {
  meshmul::PlanOptions plan;
  std::optional<meshmul::Algorithm> algorithm;
  bool has_design = false;
  std::string piece;  ///< a size of pieces that was set, which needs a design; or empty
  meshmul::OverlapOptions overlap;
  meshmul::ExecuteOptions execute;
};

namespace meshmul::c_api {

/// Throws Error(kInvalidArgument) if there is no such key or value; nothing is set then.
void set(meshmul_options& options, const std::string& key, const std::string& value);

/// Throws Error(kInvalidArgument) if options do not go with each other, or with the backend.
CompileOptions compile_options(const meshmul_options& options);
ExecuteOptions execute_options(const meshmul_options& options, const Executor& backend);

}  // namespace meshmul::c_api
