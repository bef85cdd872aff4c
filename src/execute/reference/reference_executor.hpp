#pragma once
// The reference executor: one thread, obvious, slow. Events happen in a random order that the event table allows, so
// that a schedule which leans on luck fails here.

#include "meshmul/execute.hpp"

namespace meshmul {

/// Offers every capability. Undefined memory is poisoned before every run. Two sessions with equal seeds run equally.
class ReferenceExecutor : public Executor {
 public:
  std::string_view name() const override { return "reference"; }
  Capabilities capabilities() const override { return {}; }
  std::unique_ptr<Session> open(Schedule schedule, const ExecuteOptions& options) const override;
};

}  // namespace meshmul
