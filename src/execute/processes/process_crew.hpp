#pragma once
// Ranks as programs of their own over shared memory.

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "base/child_process.hpp"
#include "execute/cpu/crew.hpp"

namespace meshmul {

class ProcessCrew final : public Crew {
 public:
  /// Starts one meshmul-rank a rank. Throws Error(kMachine) if the system refuses.
  explicit ProcessCrew(const CrewOrder& order);
  /// Asks the ranks to end and kills those that have not after a second; in a world that has failed kills at once.
  ~ProcessCrew() override;
  ProcessCrew(const ProcessCrew&) = delete;
  ProcessCrew& operator=(const ProcessCrew&) = delete;

  std::optional<RankFate> find_dead() override;
  std::optional<RankFate> find_stopped() override;
  // Each rank keeps account of its own memory.
  void before_run() override {}
  void after_run() override {}
  std::int64_t private_bytes(int rank) const override { return memory_.rank(rank).private_bytes.load(); }

 private:
  struct Rank {
    FileDescriptor socket;  ///< open as long as the rank is to live
    ChildProcess process;
  };

  void start_ranks(const CrewOrder& order);
  void wait_for_ends(std::chrono::milliseconds patience);
  RankFate fate(int rank, const std::string& what) const;

  WorldMemory memory_;
  /// Starts the ranks and stays as long as they: the kernel kills them with the thread that has started them.
  std::jthread starter_;
  std::vector<Rank> ranks_;
};

}  // namespace meshmul
