#include "run_compiled.hpp"

#include <optional>

#include "meshmul/simulate.hpp"

namespace meshmul::cli {
namespace {

Drawing drawing_of(const Compiled& compiled) { return {.plan = &compiled.plan, .schedule = &compiled.schedule}; }
Drawing drawing_of(const CompiledProgram& compiled) {
  return {.program_plan = &compiled.plan, .schedule = &compiled.schedule};
}

template <class AnyCompiled>
Answer run(const RunOptions& options, const AnyCompiled& compiled, const Hardware& hardware, const RunTask& task) {
  std::optional<Timeline> predicted;
  if (options.records())
    predicted =
        simulate(compiled.schedule, hardware, topology_of(compiled.plan, hardware), {.cost = compiled.plan.cost});
  RunResult result = carry_out(options, task);
  result.subject = subject_of(compiled);
  if (predicted) {
    Drawing drawing = drawing_of(compiled);
    drawing.predicted = &*predicted;
    look_at_times(options, drawing, result);
  }
  return answer_of(options, result);
}

}  // namespace

Answer run_compiled(const RunOptions& options, const Compiled& compiled, const Hardware& hardware,
                    const RunTask& task) {
  return run(options, compiled, hardware, task);
}

Answer run_compiled(const RunOptions& options, const CompiledProgram& compiled, const Hardware& hardware,
                    const RunTask& task) {
  return run(options, compiled, hardware, task);
}

}  // namespace meshmul::cli
