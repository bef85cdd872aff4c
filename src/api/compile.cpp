#include "meshmul/compile.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "meshmul/error.hpp"
#include "meshmul/verify.hpp"
#include "meshmul/wire_dtype.hpp"

namespace meshmul {
namespace {

// Debug builds find out which stage it was that broke a schedule.
#ifdef NDEBUG
constexpr bool kProvesEveryStage = false;
#else
constexpr bool kProvesEveryStage = true;
#endif

// Settles how it is built.
void choose_way(Compiled& compiled, const Hardware& hardware, const Capabilities& available,
                const CompileOptions& options) {
  if (options.lower) {
    compiled.lower = applied(*options.lower, compiled.plan);
  } else {
    compiled.candidates = tune(compiled.plan, hardware, available, {.cost = compiled.plan.cost});
    compiled.lower = fastest(compiled.candidates, options.plan.memory_bytes);
  }
}

void choose_way(CompiledProgram& compiled, const Hardware& hardware, const Capabilities& available,
                const CompileOptions& options) {
  if (options.lower) {
    compiled.lower = applied(*options.lower, options.products, compiled.plan);
  } else {
    compiled.candidates =
        tune(compiled.plan, hardware, available, {.cost = compiled.plan.cost}, options.plan.memory_bytes);
    compiled.lower = fastest(compiled.candidates, options.plan.memory_bytes);
  }
}

// What comes after the plan.
template <class AnyCompiled>
void build(AnyCompiled& compiled, const Hardware& hardware, const Executor& executor, const CompileOptions& options) {
  choose_way(compiled, hardware, executor.capabilities(), options);
  const Schedule lowered = lower(compiled.plan, compiled.lower);
  if constexpr (kProvesEveryStage) prove(lowered);
  compiled.schedule = legalize(lowered, executor.capabilities());
  // A plan that fits may become a schedule that does not.
  const std::int64_t bytes = bytes_per_rank(compiled.schedule);
  if (const auto most = options.plan.memory_bytes; most && bytes > *most)
    refuse_memory(compiled.plan, compiled.lower, bytes, *most, hardware, executor.capabilities());
  if (options.verify) prove(compiled.schedule);
}

}  // namespace

void prove(const Schedule& schedule) {
  const std::vector<Finding> findings = verify(schedule);
  if (findings.empty()) return;
  std::string sentence =
      fmt::format("meshmul built a schedule that does not verify ({} findings); please report it:", findings.size());
  for (const Finding& finding : findings) sentence += "\n  " + to_string(finding, schedule);
  throw std::logic_error(sentence);
}

Compiled compile(const Statement& statement, const Mesh& mesh, const Hardware& hardware, const Executor& executor,
                 const CompileOptions& options) {
  Compiled compiled;
  check_wire_dtype(statement, options.plan.wire_dtype);
  compiled.plan = plan(statement, mesh, hardware, options.plan);
  build(compiled, hardware, executor, options);
  return compiled;
}

CompiledProgram compile(const Program& program, const Mesh& mesh, const Hardware& hardware, const Executor& executor,
                        const CompileOptions& options) {
  CompiledProgram compiled;
  compiled.plan = plan(program, mesh, hardware, options.plan);
  build(compiled, hardware, executor, options);
  return compiled;
}

}  // namespace meshmul
