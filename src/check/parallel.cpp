#include "parallel.hpp"

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "meshmul/error.hpp"

namespace meshmul::checking {

void for_each_task(std::int64_t num_tasks, int num_threads, const std::function<bool()>& interrupted,
                   const std::function<void(int thread, std::int64_t task)>& task) {
  std::atomic<std::int64_t> next = 0;
  std::atomic<bool> stop = false;
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(num_threads));
  const auto work = [&](int thread) {
    try {
      for (std::int64_t i = next++; i < num_tasks && !stop; i = next++) {
        if (thread == 0 && interrupted && interrupted())
          throw Error(ErrorCode::kInterrupted, "the check was interrupted");
        task(thread, i);
      }
    } catch (...) {
      failures[static_cast<std::size_t>(thread)] = std::current_exception();
      stop = true;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int thread = 1; thread < num_threads; ++thread) threads.emplace_back(work, thread);
    work(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace meshmul::checking
