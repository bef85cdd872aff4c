#include "threads_executor.hpp"

#include "execute/cpu/cpu_session.hpp"
#include "thread_crew.hpp"

namespace meshmul {

std::unique_ptr<Session> ThreadsExecutor::open(Schedule schedule, const ExecuteOptions& options) const {
  constexpr std::int64_t kPrivateBytesPerRank = std::int64_t{4} << 20;  // a stack in use and scratch of the kernels
  const CpuBackend backend{
      [](std::int64_t num_bytes) { return MemoryMapping::anonymous(num_bytes); },
      [](const CrewOrder& order) -> std::unique_ptr<Crew> { return std::make_unique<ThreadCrew>(order); },
      kPrivateBytesPerRank};
  return std::make_unique<CpuSession>(backend, std::move(schedule), options);
}

}  // namespace meshmul
