#pragma once
// Transfers that are over when they have started: copies by the rank that asks for them, between threads.

#include <vector>

#include "fabric.hpp"

namespace meshmul {

class PromptFabric final : public Fabric {
 public:
  explicit PromptFabric(RunControl& control);

  void begin(int) override {}
  void finish(int rank) override { control_.note_end(rank); }
  void abandon(int) override {}
  void stop() override { control_.memory().ring_ranks(); }

  void step(int rank) override { control_.begin_operation(rank); }
  std::uint64_t start(int rank, const TransferOrder& order) override;
  void wait_for(int rank, std::uint64_t, Event) override { step(rank); }
  void raise(int rank, const WordRaise& raise) override;
  void wait_for(int rank, const SignalWait& wait) override;
  std::optional<Error> stall() const override { return std::nullopt; }

 private:
  struct alignas(kCacheLine) Count {
    std::uint64_t transfers = 0;
  };

  RunControl& control_;
  std::vector<Count> counts_;  // one a rank, touched by it alone
};

}  // namespace meshmul
