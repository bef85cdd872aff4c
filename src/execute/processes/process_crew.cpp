#include "process_crew.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <future>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "hello.hpp"
#include "meshmul/error.hpp"
#include "rank_program_path.hpp"

namespace meshmul {
namespace {

[[noreturn]] void fail(std::string_view what) {
  const std::string reason = std::generic_category().message(errno);
  throw Error(ErrorCode::kMachine, fmt::format("cannot {}: {}", what, reason));
}

struct SocketPair {
  FileDescriptor ours, theirs;
};
SocketPair make_sockets() {
  int numbers[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, numbers) != 0) fail("make a socket for a rank program");
  return {FileDescriptor(numbers[0]), FileDescriptor(numbers[1])};
}

// By number: the header of this function in glibc 2.36 cannot be used from C++.
FileDescriptor open_this_process() {
  FileDescriptor self(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
  if (!self.is_open()) fail("open a descriptor of this process");
  return self;
}

// What `rank` carries out. The contract and the ops of others it need not know.
MemoryMapping share_program(const Schedule& schedule, int rank) {
  Schedule own;
  own.contract.mesh = schedule.contract.mesh;
  own.capabilities = schedule.capabilities;
  own.buffers = schedule.buffers;
  own.signals = schedule.signals;
  for (const RankProgram& program : schedule.ranks) {
    RankProgram& copied = own.ranks.emplace_back();
    for (const Lane& lane : program.lanes) copied.lanes.push_back({lane.name, {}});
  }
  own.ranks[static_cast<std::size_t>(rank)] = schedule.ranks[static_cast<std::size_t>(rank)];
  const std::string text = to_string(own);
  MemoryMapping mapping = MemoryMapping::shared_file(static_cast<std::int64_t>(text.size()));
  std::memcpy(mapping.data(), text.data(), text.size());
  return mapping;
}

}  // namespace

ProcessCrew::ProcessCrew(const CrewOrder& order) : memory_(order.memory) {
  std::promise<void> promise;
  std::future<void> started = promise.get_future();
  starter_ = std::jthread([this, &order, promise = std::move(promise)](const std::stop_token& stop) mutable {
    try {
      start_ranks(order);
      promise.set_value();
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait(lock, stop, [] { return false; });
  });
  started.get();
}

void ProcessCrew::start_ranks(const CrewOrder& order) {
  const std::filesystem::path program = find_rank_program();
  const FileDescriptor self = open_this_process();

  HelloText hello;
  hello.world_bytes = order.mapping.num_bytes();
  hello.times_per_rank = memory_.layout().times_per_rank;
  hello.poison = order.options.poison;
  const std::string& kernels = order.options.kernels;
  std::copy_n(kernels.begin(), std::min(kernels.size(), hello.kernels.size() - 1), hello.kernels.begin());

  for (int rank = 0; rank < memory_.num_ranks(); ++rank) {
    SocketPair sockets = make_sockets();
    // OpenBLAS reads the variable as it is loaded, and starts no threads that nobody would use.
    ChildProcess process({program,
                          {"rank", std::to_string(rank)},
                          {"OPENBLAS_NUM_THREADS=1"},
                          {{sockets.theirs.number(), kRankSocket}}});
    ranks_.push_back({std::move(sockets.ours), std::move(process)});
    const MemoryMapping schedule = share_program(order.schedule, rank);
    hello.rank = rank;
    hello.schedule_bytes = schedule.num_bytes();
    send_hello(ranks_.back().socket.number(), hello,
               {order.mapping.file().number(), schedule.file().number(), self.number()});
  }
}

ProcessCrew::~ProcessCrew() {
  constexpr std::chrono::seconds kPatience{1};
  WorldControl& world = memory_.world();
  world.quit.store(true);
  memory_.ring_ranks();
  if (!world.stop.load()) wait_for_ends(kPatience);
  // All at once first: each destructor then waits for the end of its own.
  for (Rank& rank : ranks_) rank.process.kill();
}

void ProcessCrew::wait_for_ends(std::chrono::milliseconds patience) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  for (Rank& rank : ranks_)
    while (!rank.process.find_end() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::optional<RankFate> ProcessCrew::find_dead() {
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank)
    if (const auto end = ranks_[static_cast<std::size_t>(rank)].process.find_end()) return fate(rank, *end);
  return std::nullopt;
}

std::optional<RankFate> ProcessCrew::find_stopped() {
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank)
    if (ranks_[static_cast<std::size_t>(rank)].process.is_stopped())
      return fate(rank, "is stopped by a signal such as SIGSTOP");
  return std::nullopt;
}

RankFate ProcessCrew::fate(int rank, const std::string& what) const {
  const pid_t id = ranks_[static_cast<std::size_t>(rank)].process.id();
  return {rank, fmt::format("rank {} (process {}) {}", rank, id, what)};
}

}  // namespace meshmul
