#pragma once
// Independent tasks over a few threads.

#include <cstdint>
#include <functional>

namespace meshmul::checking {

/// Calls `task(thread, i)` once for each i in 0 … num_tasks - 1, with `thread` in 0 … num_threads - 1; the calling
/// thread is thread 0. An exception of a task ends the others between tasks and is thrown on. `interrupted` is polled
/// between tasks on the calling thread; true throws Error(kInterrupted).
void for_each_task(std::int64_t num_tasks, int num_threads, const std::function<bool()>& interrupted,
                   const std::function<void(int thread, std::int64_t task)>& task);

}  // namespace meshmul::checking
