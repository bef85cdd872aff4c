#include "cpu_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "../checked_schedule.hpp"
#include "available_memory.hpp"
#include "kernels/kernels.hpp"
#include "longest_op.hpp"
#include "measured_timeline.hpp"
#include "poison.hpp"
#include "watch.hpp"

namespace meshmul {
namespace {

using std::chrono::nanoseconds;

nanoseconds deadline_of(const Schedule& schedule, const ExecuteOptions& options) {
  constexpr double kTimesPredicted = 10;
  const auto num_cores = static_cast<int>(std::thread::hardware_concurrency());
  const std::chrono::duration<double> longest(longest_op_seconds(schedule, options.kernels, num_cores));
  return std::max<nanoseconds>(options.deadline, std::chrono::ceil<nanoseconds>(kTimesPredicted * longest));
}

}  // namespace

CpuSession::CpuSession(const CpuBackend& backend, Schedule schedule, ExecuteOptions options)
    : backend_(backend),
      schedule_(checked(std::move(schedule))),
      options_(std::move(options)),
      words_(schedule_),
      layout_(lay_out(schedule_, options_.record ? most_ops(schedule_) : 0)),
      kernels_(make_local_products(options_.kernels)->description()),
      deadline_(deadline_of(schedule_, options_)) {
  build();
}

void CpuSession::build() {
  require_memory(
      {layout_.num_ranks, shared_bytes_per_rank(layout_) + layout_.own_heap_bytes, backend_.private_bytes_per_rank},
      available_memory());
  mapping_ = backend_.allocate(layout_.num_bytes);
  memory_.emplace(mapping_->data(), layout_);
  memory_->construct(words_);
  if (options_.poison) poison_shared_buffers(schedule_, *memory_);
  runs_ = 0;
  crew_ = backend_.start({schedule_, *memory_, *mapping_, options_});
  wait_until_ready();
}

std::span<std::byte> CpuSession::buffer(int rank, int buffer) {
  return memory_ ? memory_->buffer(rank, buffer) : std::span<std::byte>();
}

void CpuSession::reset() {
  crew_.reset();
  memory_.reset();
  mapping_.reset();
  try {
    build();
    failure_.reset();
  } catch (const std::exception& error) {
    give_up(error);
    throw;
  }
}

void CpuSession::wait_until_ready() {
  const auto ready = [this] {
    for (int rank = 0; rank < layout_.num_ranks; ++rank)
      if (memory_->rank(rank).state.load() == RankState::kStarting) return false;
    return true;
  };
  // Starting W programs on few cores takes its time, however short the deadline of a run may be.
  constexpr std::chrono::seconds kStartTime{30};
  watch_until(ready, std::max<nanoseconds>(deadline_, kStartTime));
}

RunReport CpuSession::run(std::int64_t times) {
  check_times(schedule_, times);
  if (failure_) throw Error(*failure_);
  try {
    run_epochs(static_cast<std::uint64_t>(times));
  } catch (const std::exception& error) {
    give_up(error);
    throw;
  }
  runs_ += static_cast<std::uint64_t>(times);
  return report();
}

// Ends all ranks, and keeps `error` for those who ask for another run.
void CpuSession::give_up(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  failure_ =
      ours != nullptr ? *ours : Error(ErrorCode::kRankFailed, fmt::format("the controller failed: {}", error.what()));
  if (crew_ != nullptr) memory_->world().stop.store(true);
  crew_.reset();
}

void CpuSession::run_epochs(std::uint64_t count) {
  WorldControl& world = memory_->world();
  crew_->before_run();
  world.requested.store(runs_ + count);
  memory_->ring_ranks();
  const std::uint64_t all_returned = static_cast<std::uint64_t>(layout_.num_ranks) * (runs_ + count);
  watch_until([&] { return world.returned.load() == all_returned; }, deadline_);
  crew_->after_run();
}

void CpuSession::watch_until(const std::function<bool()>& done, nanoseconds deadline) {
  watch({*memory_, crew_.get(), options_, deadline, [this](int rank) { return whereabouts(rank); },
         [this] { return describe_stall(sight()); }},
        done);
}

std::string CpuSession::whereabouts(int rank) const {
  if (memory_->world().requested.load() == 0) return "while it was started";
  return describe_position(sight(), rank);
}

std::optional<Timeline> CpuSession::timeline() const {
  if (!options_.record || runs_ == 0 || failure_) return std::nullopt;
  return measured_timeline(schedule_, [this](int rank) { return memory_->times(rank); });
}

RunReport CpuSession::report() const {
  std::int64_t began = memory_->rank(0).began_nanoseconds.load();
  std::int64_t ended = memory_->rank(0).ended_nanoseconds.load();
  RunReport report;
  for (int rank = 0; rank < layout_.num_ranks; ++rank) {
    const RankControl& control = memory_->rank(rank);
    began = std::min(began, control.began_nanoseconds.load());
    ended = std::max(ended, control.ended_nanoseconds.load());
    report.peak_bytes.push_back(shared_bytes_per_rank(layout_) + crew_->private_bytes(rank));
  }
  report.seconds = std::chrono::duration<double>(nanoseconds(ended - began)).count();
  report.kernels = kernels_;
  return report;
}

}  // namespace meshmul
