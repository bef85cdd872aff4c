#pragma once
// Threads that do the same work at once, each with a number of its own.

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace meshmul::measure {

class Team {
 public:
  /// At least one thread, on cores as those of ranks. They sleep while there is nothing to do.
  explicit Team(int size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }

  /// Runs `work(number)` on all threads, which begin together. Returns the seconds from the first begin to the last end.
  double run(const std::function<void(int)>& work);

 private:
  struct Period {
    double begin = 0, end = 0;
  };
  void serve(int number);

  std::barrier<> ready_, done_;  // both with whoever calls `run`
  int size_;
  const std::function<void(int)>* work_ = nullptr;  // null: it is time to end
  std::vector<Period> periods_;                     // by thread
  std::vector<std::jthread> threads_;
};

}  // namespace meshmul::measure
