#pragma once
// The ranks of one world while they live, whatever they are: what threads and processes differ in.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "mapping.hpp"
#include "meshmul/execute.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// Something that befell a rank: `rank 2 (process 4711) was killed by SIGKILL`.
struct RankFate {
  int rank = 0;
  std::string sentence;
};

/// Ranks that serve runs (see RankLoop). Its end is theirs: the destructor returns once none is left.
class Crew {
 public:
  virtual ~Crew() = default;

  /// A rank that is no more, which is never right while the crew lives.
  virtual std::optional<RankFate> find_dead() = 0;
  /// A rank that the system does not let run.
  virtual std::optional<RankFate> find_stopped() = 0;

  /// Around each run, for the account of the ranks' own memory.
  virtual void before_run() = 0;
  virtual void after_run() = 0;
  /// The most memory that `rank` has had to itself: its own heap, stack and scratch.
  virtual std::int64_t private_bytes(int rank) const = 0;
};

/// What a crew is started on. All of it outlives the crew.
struct CrewOrder {
  const Schedule& schedule;
  const WorldMemory& memory;
  const MemoryMapping& mapping;  ///< where `memory` lies
  const ExecuteOptions& options;
};

/// The differences between the executors of this folder's neighbours.
struct CpuBackend {
  MemoryMapping (*allocate)(std::int64_t num_bytes);
  std::unique_ptr<Crew> (*start)(const CrewOrder& order);
  std::int64_t private_bytes_per_rank;  ///< allowance when memory is checked
};

}  // namespace meshmul
