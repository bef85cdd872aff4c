#pragma once
// Transfers that take their time, as an adversary wants it: one rank runs at a time, and what happens between two of its
// operations, other ranks' operations and pieces of transfers, is drawn from a seed.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "execute/reference/adversary.hpp"
#include "fabric.hpp"
#include "transfer_pieces.hpp"

namespace meshmul {

class DelayedFabric final : public Fabric {
 public:
  DelayedFabric(RunControl& control, std::uint64_t seed);

  void begin(int rank) override;
  void finish(int rank) override;
  void abandon(int rank) override;
  void stop() override;

  void step(int rank) override;
  std::uint64_t start(int rank, const TransferOrder& order) override;
  void wait_for(int rank, std::uint64_t transfer, Event event) override;
  void raise(int rank, const WordRaise& raise) override;
  void wait_for(int rank, const SignalWait& wait) override;
  std::optional<Error> stall() const override { return stall_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  static constexpr int kNobody = -1;

  // A raise shows once all earlier ones of its word have happened too.
  struct Promise {
    std::uint64_t value = 0;
    bool happened = false;
  };
  struct Pending {
    int rank = 0;
    std::uint64_t number = 0;
    TransferOrder order;
    TransferPieces pieces;
    Promise* promise = nullptr;
  };
  struct RankTurn {
    std::function<bool()> ready;   // what it waits for; empty if for nothing but its turn
    std::vector<Event> transfers;  // the last event of each
    bool ended = false;
  };

  RankTurn& turn_of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void give_turn(Lock& lock, int rank);
  void await_turn(Lock& lock, int rank);
  std::optional<int> let_things_happen();
  void advance(std::list<Pending>::iterator transfer);
  Promise* promise(const WordRaise& raise, bool happened);
  void show(const WordRaise& raise);
  bool reached(int rank, std::uint64_t transfer, Event event);

  RunControl& control_;
  std::mutex mutex_;
  std::condition_variable turned_;
  Adversary adversary_;
  int turn_ = kNobody;  // the rank that runs
  std::vector<RankTurn> ranks_;
  std::list<Pending> pending_;
  std::map<HeapWord*, std::deque<Promise>> promises_;
  std::optional<Error> stall_;
};

}  // namespace meshmul
