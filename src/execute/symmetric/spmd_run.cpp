#include "spmd_run.hpp"

#include <fmt/format.h>

#include <system_error>

#include "delayed_fabric.hpp"
#include "execute/cpu/rank_loop.hpp"
#include "execute/cpu/watch.hpp"
#include "prompt_fabric.hpp"
#include "rank_context.hpp"

namespace meshmul {
namespace {

std::unique_ptr<Fabric> make_fabric(const HeapState& heap, RunControl& control) {
  if (heap.is_delayed()) return std::make_unique<DelayedFabric>(control, heap.options().execute.seed);
  return std::make_unique<PromptFabric>(control);
}

}  // namespace

SpmdRun::SpmdRun(HeapState& heap, const std::function<void(Rank&)>& function)
    : heap_(heap),
      function_(function),
      control_(heap.mesh()),
      fabric_(make_fabric(heap, control_)),
      thrown_(static_cast<std::size_t>(heap.num_ranks())) {}

void SpmdRun::carry_out() {
  const ExecuteOptions& options = heap_.options().execute;
  const auto all = static_cast<std::uint64_t>(heap_.num_ranks());
  try {
    start();
    watch({control_.memory(), nullptr, options, options.deadline,
           [this](int rank) { return control_.whereabouts(rank); }, [this] { return control_.describe_stall(); }},
          [&] { return control_.memory().world().returned.load() == all; });
  } catch (const Error& error) {
    end_all();
    const std::exception_ptr cause = first_thrown();
    if (cause == nullptr) throw;
    try {
      std::rethrow_exception(cause);
    } catch (...) {
      std::throw_with_nested(Error(error));
    }
  }
  end_all();
  if (const auto stall = fabric_->stall()) throw Error(*stall);
}

void SpmdRun::start() {
  for (int rank = 0; rank < heap_.num_ranks(); ++rank) {
    try {
      threads_.emplace_back([this, rank] { serve(rank); });
    } catch (const std::system_error& error) {
      throw Error(ErrorCode::kMachine,
                  fmt::format("cannot start the thread of rank {} of {}: {}", rank, heap_.num_ranks(), error.what()));
    }
  }
}

void SpmdRun::serve(int rank) {
  control_.memory().rank(rank).state.store(RankState::kReady);
  try {
    RankContext context(heap_, *fabric_, rank);
    Rank handle = context.handle();
    fabric_->begin(rank);
    function_(handle);
    fabric_->finish(rank);
  } catch (const RunStopped&) {
    fabric_->abandon(rank);
  } catch (const Error& error) {
    fail(rank, error.what(), error.code());
  } catch (const std::exception& error) {
    fail(rank, error.what(), ErrorCode::kRankFailed);
  } catch (...) {
    fail(rank, "it threw what is no std::exception", ErrorCode::kRankFailed);
  }
  WorldControl& world = control_.memory().world();
  world.returned.fetch_add(1);
  world.controller.ring();
}

// In a handler of what the function threw.
void SpmdRun::fail(int rank, const char* message, ErrorCode code) {
  thrown_[static_cast<std::size_t>(rank)] = std::current_exception();
  fail_rank(control_.memory(), rank, message, code);
  fabric_->stop();
  fabric_->abandon(rank);
}

// Lets ranks that are still there end at their next operation, and waits for them.
void SpmdRun::end_all() {
  WorldControl& world = control_.memory().world();
  if (world.returned.load() < static_cast<std::uint64_t>(heap_.num_ranks())) {
    world.stop.store(true);
    fabric_->stop();
  }
  threads_.clear();  // joins
}

std::exception_ptr SpmdRun::first_thrown() const {
  for (const std::exception_ptr& thrown : thrown_)
    if (thrown != nullptr) return thrown;
  return nullptr;
}

}  // namespace meshmul
