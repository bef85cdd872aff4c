#pragma once
// The executor whose ranks are processes over a shared-memory heap that has no name.

#include "meshmul/execute.hpp"

namespace meshmul {

/// Offers all capabilities. A rank that is killed or stops is found and named; no process outlives the session or this
/// process. The memory that a rank has to itself is the peak of its anonymous memory, in which its own buffers lie.
class ProcessesExecutor final : public Executor {
 public:
  std::string_view name() const override { return "processes"; }
  Capabilities capabilities() const override { return {}; }
  std::unique_ptr<Session> open(Schedule schedule, const ExecuteOptions& options) const override;
};

}  // namespace meshmul
