#pragma once
// Runs a program on a host: each rank is one thread that takes the lanes of its rank in turns, as src/execute/cpu does.

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "host_program.hpp"
#include "signal_words.hpp"
#include "unit_queues.hpp"

namespace meshmul::simulation {

struct HostTrace {
  std::vector<std::int64_t> arrived_ps;  ///< by op: when its lane came to it
  std::vector<std::int64_t> start_ps;    ///< when its rank began with it
  std::vector<std::int64_t> end_ps;
  std::vector<std::uint32_t> before;  ///< the op whose end its rank waited for before it began; kNobody: the start
};

class HostLoop {
 public:
  /// Keeps a reference to `program`.
  explicit HostLoop(const HostProgram& program);

  /// Runs until nothing can happen any more.
  void run();

  /// Whether all lanes came to their end.
  bool finished() const { return num_done_ == program_.ops.size(); }
  const HostTrace& trace() const { return trace_; }

 private:
  struct Rank {
    std::uint32_t turn = 0;  // whose turn it is, among its lanes
    bool moved = false;      // whether a lane got any further since the first one had its turn
    bool idle = false;       // no lane can step
    std::int64_t idle_since_ps = 0;
    std::uint32_t op = kNobody;      // that it works on
    std::uint32_t before = kNobody;  // the op that ended when it became free
  };

  void step(std::uint32_t rank);
  bool can_step(std::uint32_t lane);
  void take(std::uint32_t op);
  void begin(std::uint32_t op);
  void end(std::uint32_t op);
  void raise(std::uint32_t word, std::uint32_t op);
  void wake(std::uint32_t lane, std::uint32_t op);

  std::uint32_t core(std::uint32_t rank) const { return rank / program_.ranks_per_core; }
  void at(std::int64_t time_ps, std::uint32_t rank) { times_.emplace(time_ps, rank); }

  using Time = std::pair<std::int64_t, std::uint32_t>;  // at which a rank is to go on

  const HostProgram& program_;
  HostTrace trace_;
  SignalWords words_;
  UnitQueues cores_;
  std::priority_queue<Time, std::vector<Time>, std::greater<>> times_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> next_op_;  // by lane
  std::vector<bool> waits_;             // by lane: whether it is to be told when its wait passes
  std::int64_t now_ = 0;
  std::size_t num_done_ = 0;
};

}  // namespace meshmul::simulation
