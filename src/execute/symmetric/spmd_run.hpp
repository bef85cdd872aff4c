#pragma once
// One run of a function on every rank: the threads, the watch over them, and what they threw.

#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "fabric.hpp"
#include "heap_state.hpp"
#include "run_control.hpp"

namespace meshmul {

class SpmdRun {
 public:
  /// Both outlive this.
  SpmdRun(HeapState& heap, const std::function<void(Rank&)>& function);

  /// Throws as SymmetricHeap::spmd. No rank is left when it returns or throws.
  void carry_out();

 private:
  void start();
  void serve(int rank);
  void fail(int rank, const char* message, ErrorCode code);
  void end_all();
  std::exception_ptr first_thrown() const;

  HeapState& heap_;
  const std::function<void(Rank&)>& function_;
  RunControl control_;
  std::unique_ptr<Fabric> fabric_;
  std::vector<std::exception_ptr> thrown_;  // by rank
  std::vector<std::jthread> threads_;
};

}  // namespace meshmul
