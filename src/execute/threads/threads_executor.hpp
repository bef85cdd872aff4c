#pragma once
// The executor whose ranks are threads of this process.

#include "meshmul/execute.hpp"

namespace meshmul {

/// Offers all capabilities. After a failure an op that is under way ends before `run` throws: a thread cannot be
/// killed. The memory that a rank has to itself is its own buffers and an equal share of what this process's anonymous
/// memory grew by during runs.
class ThreadsExecutor final : public Executor {
 public:
  std::string_view name() const override { return "threads"; }
  Capabilities capabilities() const override { return {}; }
  std::unique_ptr<Session> open(Schedule schedule, const ExecuteOptions& options) const override;
};

}  // namespace meshmul
