// The executors of this build, one a line.

#include "registry.hpp"

#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#ifdef MESHMUL_HAS_CUDA
#include "cuda/cuda_executor.hpp"
#endif
#include "processes/processes_executor.hpp"
#include "reference/reference_executor.hpp"
#include "threads/threads_executor.hpp"

namespace meshmul {

std::vector<const Executor*> executors() {
  static const ReferenceExecutor reference;
  static const ThreadsExecutor threads;
  static const ProcessesExecutor processes;
  std::vector<const Executor*> all{&reference, &threads, &processes};
#ifdef MESHMUL_HAS_CUDA
  static const CudaExecutor cuda;
  if (CudaExecutor::is_usable()) all.push_back(&cuda);
#endif
  return all;
}

const Executor* find_executor(std::string_view name) {
  for (const Executor* executor : executors())
    if (executor->name() == name) return executor;
  return nullptr;
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

}  // namespace meshmul
