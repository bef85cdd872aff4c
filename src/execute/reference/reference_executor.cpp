#include "reference_executor.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "../checked_schedule.hpp"
#include "../cpu/available_memory.hpp"
#include "adversary.hpp"
#include "kernels/kernels.hpp"
#include "machine.hpp"
#include "meshmul/error.hpp"
#include "op_recorder.hpp"

namespace meshmul {
namespace {

Schedule checked_for_memory(Schedule schedule) {
  schedule = checked(std::move(schedule));
  require_memory({schedule.num_ranks(), bytes_per_rank(schedule), 0}, available_memory());
  return schedule;
}

class ReferenceSession : public Session {
 public:
  ReferenceSession(Schedule schedule, ExecuteOptions options)
      : schedule_(checked_for_memory(std::move(schedule))),
        options_(std::move(options)),
        products_(make_local_products(options_.kernels.empty() ? "reference" : options_.kernels)),
        machine_(schedule_),
        adversary_(options_.seed) {
    if (options_.record) recorder_.emplace(schedule_);
  }

  std::span<std::byte> buffer(int rank, int buffer) override {
    const bool in_reach = schedule_.buffers[static_cast<std::size_t>(buffer)].symmetric;
    return in_reach ? machine_.memory().buffer(rank, buffer) : std::span<std::byte>();
  }
  using Session::run;
  RunReport run(std::int64_t times) override;
  std::optional<Timeline> timeline() const override {
    return recorder_ && has_run_ && !failure_ ? std::optional(recorder_->timeline()) : std::nullopt;
  }
  void reset() override;

 private:
  void run_to_the_end();

  Schedule schedule_;
  ExecuteOptions options_;
  std::unique_ptr<LocalProductLibrary> products_;
  Machine machine_;
  Adversary adversary_;
  std::optional<Error> failure_;
  std::optional<OpRecorder> recorder_;
  bool has_run_ = false;
};

RunReport ReferenceSession::run(std::int64_t times) {
  check_times(schedule_, times);
  if (failure_) throw *failure_;
  const auto start = std::chrono::steady_clock::now();
  try {
    for (std::int64_t i = 0; i < times; ++i) run_to_the_end();
  } catch (const Error& error) {
    failure_ = error;
    throw;
  }
  has_run_ = true;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {elapsed.count(), std::vector(schedule_.ranks.size(), bytes_per_rank(schedule_)), products_->description()};
}

void ReferenceSession::run_to_the_end() {
  constexpr int kStepsPerPoll = 64;
  machine_.begin_run();
  if (recorder_) recorder_->begin_run();
  for (int step = 0;; ++step) {
    if (step % kStepsPerPoll == 0 && options_.interrupted && options_.interrupted())
      throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    const std::vector<Choice> choices = machine_.choices();
    if (choices.empty()) break;
    const Choice choice = adversary_.choose(choices, machine_);
    if (recorder_) recorder_->before(choice, machine_);
    machine_.take(choice, *products_, adversary_.num_pieces());
    if (recorder_) recorder_->after();
  }
  if (!machine_.finished()) throw Error(ErrorCode::kRankFailed, fmt::format("no lane can step: {}", machine_.stall()));
}

void ReferenceSession::reset() {
  machine_ = Machine(schedule_);
  failure_.reset();
  has_run_ = false;
}

}  // namespace

std::unique_ptr<Session> ReferenceExecutor::open(Schedule schedule, const ExecuteOptions& options) const {
  return std::make_unique<ReferenceSession>(std::move(schedule), options);
}

}  // namespace meshmul
