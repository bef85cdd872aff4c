// The program meshmul-rank: one rank of the executor `processes`. It is started by a session and by nobody else.

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "execute/cpu/mapping.hpp"
#include "execute/cpu/private_memory.hpp"
#include "execute/cpu/rank_loop.hpp"
#include "hello.hpp"
#include "launcher_watch.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

// A reading of the account costs some 20 us, so it is taken only when the peak has changed.
class PrivatePeak {
 public:
  std::int64_t operator()() {
    if (const std::int64_t resident = peak_resident_bytes(); resident != resident_) {
      resident_ = resident;
      bytes_ = std::max(bytes_, read_private_memory().peak_bytes);
    }
    return bytes_;
  }

 private:
  std::int64_t resident_ = 0;
  std::int64_t bytes_ = 0;
};

Schedule read_schedule(Hello& hello) {
  const MemoryMapping text = MemoryMapping::of_file(std::move(hello.schedule), hello.text.schedule_bytes);
  return parse_schedule({reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(text.num_bytes())});
}

void serve_rank() {
  Hello hello = receive_hello(kRankSocket);
  end_with_launcher(kRankSocket, std::move(hello.launcher));

  const auto rank = static_cast<int>(hello.text.rank);
  const Schedule schedule = read_schedule(hello);
  const WorldLayout layout = lay_out(schedule, hello.text.times_per_rank);
  if (layout.num_bytes != hello.text.world_bytes)
    throw Error(ErrorCode::kMachine, "the program that started this one is of another version of meshmul");
  const MemoryMapping mapping = MemoryMapping::of_file(std::move(hello.world), hello.text.world_bytes);
  const WorldMemory memory(mapping.data(), layout);
  try {
    RankLoop loop({rank, schedule, memory, hello.text.poison}, make_local_products(hello.text.kernels.data()),
                  PrivatePeak());
    loop.serve();
  } catch (const Error& error) {
    const bool out_of_memory = error.code() == ErrorCode::kOutOfMemory;
    fail_rank(memory, rank, error.what(), out_of_memory ? ErrorCode::kOutOfMemory : ErrorCode::kRankFailed);
  } catch (const std::exception& error) {
    fail_rank(memory, rank, error.what());
  }
}

}  // namespace
}  // namespace meshmul

int main() {
  // Also if somebody has stopped this program, whom the watch of the launcher could not end then.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    meshmul::serve_rank();
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "meshmul-rank: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
