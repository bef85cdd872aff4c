#pragma once
// Ranks as threads of this process.

#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "execute/cpu/crew.hpp"

namespace meshmul {

class ThreadCrew final : public Crew {
 public:
  /// Throws Error(kMachine) if the system refuses a thread.
  explicit ThreadCrew(const CrewOrder& order);
  ~ThreadCrew() override;
  ThreadCrew(const ThreadCrew&) = delete;
  ThreadCrew& operator=(const ThreadCrew&) = delete;

  // A thread dies and stops only with the whole process.
  std::optional<RankFate> find_dead() override { return std::nullopt; }
  std::optional<RankFate> find_stopped() override { return std::nullopt; }

  void before_run() override;
  void after_run() override;
  std::int64_t private_bytes(int) const override {
    return memory_.layout().own_heap_bytes + peak_growth_ / memory_.num_ranks();
  }

 private:
  void dismiss();

  WorldMemory memory_;
  std::vector<std::jthread> threads_;

  std::int64_t bytes_before_ = 0;     // private memory of the process when this run began,
  std::int64_t resident_before_ = 0;  // and the peak of its resident memory
  std::int64_t growth_ = 0;           // of private memory in all runs that have ended
  std::int64_t peak_growth_ = 0;
};

}  // namespace meshmul
