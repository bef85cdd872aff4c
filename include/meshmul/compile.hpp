#pragma once
// The flow in one call: statement -> plan -> schedule -> legalized and proven for one backend.

#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

struct CompileOptions {
  PlanOptions plan;
  LowerOptions lower;
  bool verify = true;  ///< prove the legalized schedule; a finding is a fault of ours and throws std::logic_error
};

/// A plan, and the schedule that carries it out on one backend.
struct Compiled {
  Plan plan;
  Schedule schedule;
};

/// Verifies a schedule that meshmul built. Throws std::logic_error with all findings if there are any.
void prove(const Schedule& schedule);

/// Plans `statement`, lowers it, and legalizes it for `executor`. Every size must be known.
Compiled compile(const Statement& statement, const Mesh& mesh, const Hardware& hardware, const Executor& executor,
                 const CompileOptions& options = {});

}  // namespace meshmul
