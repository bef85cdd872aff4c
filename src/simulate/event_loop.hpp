#pragma once
// Runs a flat program: whatever is ready takes its lane, and its bytes take their links, first come, first served.

#include <cstdint>
#include <vector>

#include "event_queue.hpp"
#include "program.hpp"
#include "signal_words.hpp"
#include "trace.hpp"
#include "unit_queues.hpp"

namespace meshmul::simulation {

class EventLoop {
 public:
  /// Keeps a reference to `program`. Notes down what happens in `trace`, if there is one.
  EventLoop(const FlatProgram& program, Trace* trace);

  /// Runs until nothing can happen any more.
  void run();

  /// Whether all lanes came to their end.
  bool finished() const { return num_finished_lanes_ == program_.lanes.size(); }
  /// When the last op ended.
  std::int64_t makespan_ps() const { return makespan_ps_; }
  /// Ops that started, waits that were looked at again, and events of the queue.
  std::uint64_t num_events() const { return num_events_; }

 private:
  void settle();
  void advance(std::uint32_t lane);
  bool start(std::uint32_t op);
  bool start_wait(std::uint32_t op);
  bool start_on_unit(std::uint32_t op);
  void begin(std::uint32_t op);
  bool begin_work(std::uint32_t op);
  std::int64_t serve_memory(std::uint32_t op);
  void start_signal(std::uint32_t op);
  std::uint32_t transfer_of(const Event& event) const { return program_.first_transfers[event.op()] + event.part(); }
  void prefetch() const;
  void handle(const Event& event);
  void take_link(std::uint32_t number, std::uint32_t hop);
  void note_sent(std::uint32_t op, std::int64_t end_ps);
  void end_part(std::uint32_t op);
  void end(std::uint32_t op);
  void raise(const Increment& increment, std::uint32_t op, bool read_done);
  void note_use(Use use);

  const FlatProgram& program_;
  Trace* trace_;
  EventQueue queue_;
  SignalWords words_;
  UnitQueues units_;
  std::int64_t now_ = 0;
  std::int64_t makespan_ps_ = 0;
  std::uint64_t num_events_ = 0;
  std::size_t num_finished_lanes_ = 0;
  std::vector<std::uint32_t> next_op_;        // by lane
  std::vector<std::uint8_t> parts_left_;      // by op that works
  std::vector<std::int64_t> link_free_ps_;    // by link
  std::vector<std::int64_t> tail_ps_;         // by transfer: when its last byte is at the end of its last link so far
  std::vector<std::uint32_t> last_use_;       // by link, for the trace
  std::vector<std::int64_t> memory_free_ps_;  // by memory that ranks share
  std::vector<std::uint32_t> last_served_;    // by memory, for the trace
  std::vector<std::uint32_t> ready_, batch_;  // lanes that can step at this time
};

}  // namespace meshmul::simulation
