#pragma once
// A schedule loaded on ranks of this machine: the controller of a world, which asks for runs and watches over them.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "crew.hpp"
#include "mapping.hpp"
#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "signal_words.hpp"
#include "stall.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// After a failure no rank is left, but the buffers still are, until `reset`. If that fails too they are gone, and
/// empty.
class CpuSession final : public Session {
 public:
  /// Throws Error(kInvalidArgument) if an op or a signal is not well formed, Error(kOutOfMemory) if the memory that is
  /// available does not suffice, before anything is allocated, or if the system refuses a rank its own memory, and what
  /// the crew of `backend` fails to start with.
  CpuSession(const CpuBackend& backend, Schedule schedule, ExecuteOptions options);

  std::span<std::byte> buffer(int rank, int buffer) override;
  using Session::run;
  RunReport run(std::int64_t times) override;
  std::optional<Timeline> timeline() const override;
  void reset() override;

 private:
  void build();
  void wait_until_ready();
  void watch_until(const std::function<bool()>& done, std::chrono::nanoseconds deadline);
  void run_epochs(std::uint64_t count);
  void give_up(const std::exception& error);
  RunReport report() const;

  WorldSight sight() const { return {schedule_, words_, *memory_}; }
  std::string whereabouts(int rank) const;

  CpuBackend backend_;
  Schedule schedule_;
  ExecuteOptions options_;
  SignalWords words_;
  WorldLayout layout_;
  std::string kernels_;
  std::chrono::nanoseconds deadline_;

  std::optional<MemoryMapping> mapping_;
  std::optional<WorldMemory> memory_;
  std::unique_ptr<Crew> crew_;  // after the memory that it works on
  std::uint64_t runs_ = 0;
  std::optional<Error> failure_;
};

}  // namespace meshmul
