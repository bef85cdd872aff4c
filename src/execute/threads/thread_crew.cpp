#include "thread_crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "execute/cpu/private_memory.hpp"
#include "execute/cpu/rank_loop.hpp"
#include "meshmul/error.hpp"

namespace meshmul {

ThreadCrew::ThreadCrew(const CrewOrder& order) : memory_(order.memory) {
  try {
    for (int rank = 0; rank < memory_.num_ranks(); ++rank) {
      auto loop = std::make_unique<RankLoop>(RankOrder{rank, order.schedule, memory_, order.options.poison},
                                             make_local_products(order.options.kernels));
      threads_.emplace_back([loop = std::move(loop)] { loop->serve(); });
    }
  } catch (const std::system_error& error) {
    dismiss();
    throw Error(ErrorCode::kMachine, fmt::format("cannot start the thread of rank {} of {}: {}", threads_.size(),
                                                 memory_.num_ranks(), error.what()));
  } catch (...) {
    dismiss();
    throw;
  }
}

ThreadCrew::~ThreadCrew() { dismiss(); }

void ThreadCrew::dismiss() {
  memory_.world().quit.store(true);
  memory_.ring_ranks();
  threads_.clear();  // joins
}

void ThreadCrew::before_run() {
  bytes_before_ = read_private_memory().bytes;
  resident_before_ = peak_resident_bytes();
}

void ThreadCrew::after_run() {
  const PrivateMemory now = read_private_memory();
  // The peak of the process counts only if it was met in this run.
  const std::int64_t highest = peak_resident_bytes() > resident_before_ ? now.peak_bytes : now.bytes;
  peak_growth_ = std::max(peak_growth_, growth_ + highest - bytes_before_);
  growth_ = std::max<std::int64_t>(0, growth_ + now.bytes - bytes_before_);
}

}  // namespace meshmul
