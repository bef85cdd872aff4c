#pragma once
// The lanes of one rank with every name and box resolved to pointers and views: what the rank loop walks.

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "doorbell.hpp"
#include "execute/steps.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/view.hpp"
#include "own_heap.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// Passes once `word` holds runs x its raises per run + threshold, `runs` being those before this one.
struct WaitStep {
  const SignalWord* word = nullptr;
  std::uint64_t threshold = 0;

  bool passes(std::uint64_t runs) const { return word->value.load() >= runs * word->raises_per_run + threshold; }
};

/// A copy and the reductions that add to it.
struct SumStep {
  View dst;
  std::vector<ConstView> terms;
};

/// Only raises, or has been done by an earlier step.
struct NoWork {};

/// Stores runs x raises per run + value: what the word holds after this raise, since no other lane writes it.
struct RaiseStep {
  SignalWord* word = nullptr;
  Doorbell* owner = nullptr;  ///< null if the word is the rank's own: it does not sleep now
  std::uint64_t value = 0;
};

struct Step {
  std::variant<WaitStep, CopyStep, ReduceStep, SumStep, GemmStep, MapStep, NoWork> work;
  std::array<RaiseStep, 2> raises{};
  int num_raises = 0;
};

struct ProgramLane {
  std::vector<Step> steps;
};

/// The program of `rank` over the memory of its world and its own. The schedule is well formed; ops of other ranks are
/// not looked at. Gemms that are one product in this memory (`merged_gemms`) are one step, and so are terms that are added up
/// one right behind the other (`merged_sums`).
std::vector<ProgramLane> build_program(const Schedule& schedule, const WorldMemory& memory, const OwnHeap& own_heap,
                                       int rank);

}  // namespace meshmul
