#pragma once
// The executor whose ranks are GPUs of this process, or several virtual ranks on each.

#include "meshmul/execute.hpp"

namespace meshmul {

/// Offers all capabilities. The ranks are placed on the devices that have compute capability 9.0, in blocks of
/// neighbours.
class CudaExecutor final : public Executor {
 public:
  std::string_view name() const override { return "cuda"; }
  Capabilities capabilities() const override { return {}; }
  /// Throws Error(kUnsupported) if there is no such device, and as `place_ranks` does.
  std::unique_ptr<Session> open(Schedule schedule, const ExecuteOptions& options) const override;

  /// Whether this machine has a device that it runs on.
  static bool is_usable();
};

}  // namespace meshmul
