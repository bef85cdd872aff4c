#include "processes_executor.hpp"

#include "execute/cpu/cpu_session.hpp"
#include "process_crew.hpp"

namespace meshmul {

std::unique_ptr<Session> ProcessesExecutor::open(Schedule schedule, const ExecuteOptions& options) const {
  constexpr std::int64_t kPrivateBytesPerRank = std::int64_t{16} << 20;  // a small program and scratch of the kernels
  const CpuBackend backend{
      [](std::int64_t num_bytes) { return MemoryMapping::shared_file(num_bytes); },
      [](const CrewOrder& order) -> std::unique_ptr<Crew> { return std::make_unique<ProcessCrew>(order); },
      kPrivateBytesPerRank};
  return std::make_unique<CpuSession>(backend, std::move(schedule), options);
}

}  // namespace meshmul
