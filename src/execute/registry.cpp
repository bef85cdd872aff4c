// The executors of this build, one a line.

#include "meshmul/execute.hpp"
#include "processes/processes_executor.hpp"
#include "reference/reference_executor.hpp"
#include "threads/threads_executor.hpp"

namespace meshmul {

std::vector<const Executor*> executors() {
  static const ReferenceExecutor reference;
  static const ThreadsExecutor threads;
  static const ProcessesExecutor processes;
  return {&reference, &threads, &processes};
}

const Executor* find_executor(std::string_view name) {
  for (const Executor* executor : executors())
    if (executor->name() == name) return executor;
  return nullptr;
}

}  // namespace meshmul
