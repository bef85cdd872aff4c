#pragma once
// The flow in one call: statement or program -> plan -> schedule -> legalized and proven for one backend.

#include <optional>
#include <vector>

#include "meshmul/execute.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/statement.hpp"
#include "meshmul/tune.hpp"

namespace meshmul {

struct CompileOptions {
  PlanOptions plan;
  std::optional<LowerOptions> lower;  ///< how the plan is built; nothing: in the way that `tune` finds the fastest
  bool verify = true;  ///< prove the legalized schedule; a finding is a fault of ours and throws std::logic_error
  std::vector<NamedOverlap> products = {};  ///< of a program, with `lower`: products that are overlapped in another way
};

/// A plan, and the schedule that carries it out on one backend.
struct Compiled {
  Plan plan;
  LowerOptions lower;                 ///< how it was built
  std::vector<Candidate> candidates;  ///< the ways that `tune` compared, if it was asked; the first was taken
  Schedule schedule;
};

/// The same of a program.
struct CompiledProgram {
  ProgramPlan plan;
  ProgramWay lower = LowerOptions{};
  std::vector<ProgramCandidate> candidates;
  Schedule schedule;
};

/// Verifies a schedule that meshmul built. Throws std::logic_error with all findings if there are any.
void prove(const Schedule& schedule);

/// Plans `statement`, lowers it, and legalizes it for `executor`. Every size must be known. Throws
/// Error(kInvalidArgument) if the schedule takes more than `options.plan.memory_bytes`, though the plan does not.
Compiled compile(const Statement& statement, const Mesh& mesh, const Hardware& hardware, const Executor& executor,
                 const CompileOptions& options = {});
CompiledProgram compile(const Program& program, const Mesh& mesh, const Hardware& hardware, const Executor& executor,
                        const CompileOptions& options = {});

}  // namespace meshmul
