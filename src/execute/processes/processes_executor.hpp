#pragma once
// The executor whose ranks are processes over a shared-memory heap that has no name.

#include "meshmul/execute.hpp"

namespace meshmul {

/// Offers all capabilities. A rank that is killed or stops is found and named; no process outlives the session or this
/// process. Private memory of a rank is the peak of its anonymous memory.
class ProcessesExecutor final : public Executor {
 public:
  std::string_view name() const override { return "processes"; }
  Capabilities capabilities() const override { return {}; }
  std::unique_ptr<Session> open(Schedule schedule, const ExecuteOptions& options) const override;
};

}  // namespace meshmul
