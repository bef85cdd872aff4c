#pragma once
// The life of one rank on the CPU: one thread that carries out all lanes of the rank, run after run.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/kernels.hpp"
#include "meshmul/error.hpp"
#include "own_heap.hpp"
#include "rank_program.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// What a rank is started with. The schedule outlives it; the ops of other ranks are not looked at.
struct RankOrder {
  int rank = 0;
  const Schedule& schedule;
  WorldMemory memory;
  bool poison = false;  ///< ExecuteOptions::poison, for the own buffers
};

/// A lane gives its turn away when its wait does not pass, and after each product, so that no peer waits for a transfer
/// longer than one product takes. The rank waits only when none of its lanes can step.
class RankLoop {
 public:
  /// Makes the rank's own heap. `private_bytes` gives the largest private memory that the rank's process has had; empty
  /// where ranks share one. Throws Error(kOutOfMemory).
  RankLoop(const RankOrder& order, std::unique_ptr<LocalProductLibrary> products,
           std::function<std::int64_t()> private_bytes = {});

  /// Serves runs until the controller asks the ranks to quit. An exception of an op fails the world.
  void serve();

 private:
  struct Lane {
    const std::vector<Step>* steps = nullptr;
    LanePosition* position = nullptr;
    std::size_t next = 0;
    OpTimes* times = nullptr;              ///< of its ops; null if none are recorded
    std::int64_t arrived_nanoseconds = 0;  ///< at the next op

    bool finished() const { return next == steps->size(); }
  };

  void meet_memory();
  void serve_requested();
  void run();
  bool take_turn(int lane);
  bool some_lane_can_step() const;
  void take(Lane& lane, const Step& step);
  void perform(const Step& step);
  void raise(const RaiseStep& step) const;

  RankControl& control() const { return order_.memory.rank(order_.rank); }

  RankOrder order_;
  OwnHeap own_heap_;
  std::vector<ProgramLane> program_;
  std::unique_ptr<LocalProductLibrary> products_;
  std::function<std::int64_t()> private_bytes_;
  std::vector<Lane> lanes_;
  std::uint64_t runs_ = 0;  // finished ones
  int pauses_ = Doorbell::kPauses;
};

/// Marks `rank` as failed with `message`, of which the controller makes an error with `code`, and stops the world.
void fail_rank(const WorldMemory& memory, int rank, const char* message, ErrorCode code = ErrorCode::kRankFailed);

}  // namespace meshmul
