// The executors of this build, one a line.

#include "registry.hpp"

#include <algorithm>
#include <span>

#include "base/option_values.hpp"
#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#ifdef MESHMUL_HAS_CUDA
#include "cuda/cuda_executor.hpp"
#endif
#include "processes/processes_executor.hpp"
#include "reference/reference_executor.hpp"
#include "threads/threads_executor.hpp"

namespace meshmul {

namespace {

struct Entry {
  const Executor& executor;
  /// Whether this machine has what it runs on. It may take long to find out, so it is asked only of executors that
  /// matter.
  bool (*is_usable)();
};

bool always() { return true; }

std::span<const Entry> entries() {
  static const ReferenceExecutor reference;
  static const ThreadsExecutor threads;
  static const ProcessesExecutor processes;
#ifdef MESHMUL_HAS_CUDA
  static const CudaExecutor cuda;
#endif
  static const Entry all[] = {
      {reference, always},
      {threads, always},
      {processes, always},
#ifdef MESHMUL_HAS_CUDA
      {cuda, CudaExecutor::is_usable},
#endif
  };
  return all;
}

}  // namespace

std::vector<const Executor*> executors() {
  std::vector<const Executor*> usable;
  for (const Entry& entry : entries())
    if (entry.is_usable()) usable.push_back(&entry.executor);
  return usable;
}

const Executor* find_executor(std::string_view name) {
  const std::span<const Entry> all = entries();
  const auto found = std::ranges::find(all, name, [](const Entry& entry) { return entry.executor.name(); });
  return found != all.end() && found->is_usable() ? &found->executor : nullptr;
}

void refuse_missing_executor(std::string_view name) {
  if (name != "cuda" || find_executor(name) != nullptr) return;
#ifdef MESHMUL_HAS_CUDA
  throw Error(ErrorCode::kUnsupported,
              "the backend cuda needs a GPU of compute capability 9.0, and this machine has none");
#else
  throw Error(ErrorCode::kUnsupported, "this meshmul was built without the backend cuda; that takes a CUDA compiler");
#endif
}

const Executor& require_executor(const std::string& name, const std::string& what) {
  if (const Executor* executor = find_executor(name)) return *executor;
  refuse_missing_executor(name);
  std::vector<std::string> names;
  for (const Executor* executor : executors()) names.emplace_back(executor->name());
  return *executors()[choose(name, what, names)];
}

}  // namespace meshmul
