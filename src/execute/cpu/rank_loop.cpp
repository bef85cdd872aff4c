#include "rank_loop.hpp"

#include <algorithm>
#include <exception>
#include <span>
#include <variant>

#include "now.hpp"
#include "own_cores.hpp"
#include "poison.hpp"

namespace meshmul {
namespace {

// A fault in a page costs more than the copy that meets it. So a rank meets the pages of its heaps before the first run,
// which also places them in the memory that is nearest to it. What they hold stays.
void touch_pages(std::span<std::byte> memory) {
  const auto touch = [](volatile std::byte& byte) { byte = byte; };
  for (std::size_t i = 0; i < memory.size(); i += kPageBytes) touch(memory[i]);
  if (!memory.empty()) touch(memory.back());
}

// One overload a kind of work; a wait has none left once it has passed.
struct Perform {
  LocalProductLibrary& products;

  void operator()(const WaitStep&) const {}
  void operator()(const NoWork&) const {}
  void operator()(const CopyStep& step) const { meshmul::copy(step.dst, step.src, step.permutation); }
  void operator()(const ReduceStep& step) const { meshmul::reduce(step.dst, step.src, step.permutation); }
  void operator()(const SumStep& step) const { meshmul::sum(step.dst, step.terms); }
  void operator()(const MapStep& step) const { meshmul::map(step.dst, step.function, step.srcs, step.along); }
  void operator()(const GemmStep& step) const { products.gemm(step.c, step.a, step.b, step.einsum, step.accumulate); }
};

}  // namespace

RankLoop::RankLoop(const RankOrder& order, std::unique_ptr<LocalProductLibrary> products,
                   std::function<std::int64_t()> private_bytes)
    : order_(order),
      own_heap_(order.memory.layout()),
      program_(build_program(order.schedule, order.memory, own_heap_, order.rank)),
      products_(std::move(products)),
      private_bytes_(std::move(private_bytes)) {
  const std::span<LanePosition> positions = order_.memory.positions(order_.rank);
  const std::span<OpTimes> times = order_.memory.times(order_.rank);
  std::size_t first_op = 0;
  for (std::size_t lane = 0; lane < program_.size(); ++lane) {
    const std::vector<Step>& steps = program_[lane].steps;
    lanes_.push_back({&steps, &positions[lane], 0, times.empty() ? nullptr : times.data() + first_op, 0});
    first_op += steps.size();
  }
}

void RankLoop::serve() {
  WorldControl& world = order_.memory.world();
  if (!has_own_cores(order_.memory.num_ranks())) pauses_ = Doorbell::kPausesOnSharedCore;
  keep_to_own_cores(order_.rank, order_.memory.num_ranks());
  meet_memory();
  control().state.store(RankState::kReady);
  world.controller.ring();
  for (;;) {
    control().doorbell.wait_until([&] { return world.quit.load() || world.requested.load() > runs_; }, pauses_);
    if (world.quit.load()) return;
    serve_requested();
  }
}

// All runs that have been asked for, one right behind the other. What is told to the controller alone is told once.
void RankLoop::serve_requested() {
  WorldControl& world = order_.memory.world();
  const std::uint64_t requested = world.requested.load();
  const std::uint64_t count = requested - runs_;
  control().began_nanoseconds.store(now_nanoseconds(), std::memory_order_relaxed);
  try {
    for (; runs_ < requested && !world.stop.load(std::memory_order_relaxed); ++runs_) {
      control().runs.store(runs_, std::memory_order_relaxed);
      run();
    }
  } catch (const std::exception& error) {
    fail_rank(order_.memory, order_.rank, error.what());
  }
  runs_ = requested;
  control().ended_nanoseconds.store(now_nanoseconds(), std::memory_order_relaxed);
  if (private_bytes_) control().private_bytes.store(private_bytes_(), std::memory_order_relaxed);

  const std::uint64_t all = static_cast<std::uint64_t>(order_.memory.num_ranks()) * requested;
  if (world.returned.fetch_add(count) + count == all) world.controller.ring();
}

void RankLoop::meet_memory() {
  for (int buffer = 0; buffer < static_cast<int>(order_.schedule.buffers.size()); ++buffer)
    touch_pages(order_.memory.buffer(order_.rank, buffer));
  touch_pages(own_heap_.bytes());
  if (order_.poison) poison_own_buffers(order_.schedule, own_heap_);
}

void RankLoop::run() {
  for (Lane& lane : lanes_) {
    lane.next = 0;
    if (lane.times != nullptr) lane.arrived_nanoseconds = now_nanoseconds();
    lane.position->store(0, std::memory_order_relaxed);
  }
  const WorldControl& world = order_.memory.world();
  while (!std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.finished(); })) {
    bool moved = false;
    for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) moved = take_turn(lane) || moved;
    if (world.stop.load(std::memory_order_relaxed)) return;
    if (!moved) control().doorbell.wait_until([&] { return world.stop.load() || some_lane_can_step(); }, pauses_);
  }
}

// Returns whether the lane got any further.
bool RankLoop::take_turn(int lane_index) {
  Lane& lane = lanes_[static_cast<std::size_t>(lane_index)];
  bool moved = false;
  while (!lane.finished() && !order_.memory.world().stop.load(std::memory_order_relaxed)) {
    const Step& step = (*lane.steps)[lane.next];
    if (const auto* wait = std::get_if<WaitStep>(&step.work); wait != nullptr && !wait->passes(runs_)) break;

    control().current_lane.store(lane_index, std::memory_order_relaxed);
    take(lane, step);
    control().current_lane.store(RankControl::kNoLane, std::memory_order_relaxed);
    lane.position->store(static_cast<std::uint32_t>(++lane.next), std::memory_order_relaxed);
    moved = true;
    if (std::holds_alternative<GemmStep>(step.work)) break;
  }
  return moved;
}

bool RankLoop::some_lane_can_step() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [this](const Lane& lane) {
    if (lane.finished()) return false;
    const auto* wait = std::get_if<WaitStep>(&(*lane.steps)[lane.next].work);
    return wait == nullptr || wait->passes(runs_);
  });
}

// With its times, if they are recorded. A wait begins when the lane comes to it, all else when it is done.
void RankLoop::take(Lane& lane, const Step& step) {
  if (lane.times == nullptr) return perform(step);
  OpTimes& times = lane.times[lane.next];
  times.began_nanoseconds = std::holds_alternative<WaitStep>(step.work) ? lane.arrived_nanoseconds : now_nanoseconds();
  perform(step);
  times.ended_nanoseconds = lane.arrived_nanoseconds = now_nanoseconds();
}

void RankLoop::perform(const Step& step) {
  std::visit(Perform{*products_}, step.work);
  for (int i = 0; i < step.num_raises; ++i) raise(step.raises[static_cast<std::size_t>(i)]);
}

void RankLoop::raise(const RaiseStep& step) const {
  const std::uint64_t value = runs_ * step.word->raises_per_run + step.value;
  if (step.owner == nullptr) {
    step.word->value.store(value, std::memory_order_release);
  } else {
    step.word->value.store(value);  // sequentially consistent, as the doorbell asks
    step.owner->ring();
  }
}

void fail_rank(const WorldMemory& memory, int rank, const char* message, ErrorCode code) {
  RankControl& control = memory.rank(rank);
  const std::size_t length = std::min(std::char_traits<char>::length(message), control.message.size() - 1);
  std::copy_n(message, length, control.message.begin());
  control.code = code;
  control.state.store(RankState::kFailed);
  memory.world().stop.store(true);
  memory.ring_ranks();
  memory.world().controller.ring();
}

}  // namespace meshmul
