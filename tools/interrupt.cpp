#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

constexpr unsigned kSecondsForAnOrderlyEnd = 3;

std::atomic<int> signal_that_came{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

std::atomic<bool> shows_progress{false};

/// Nothing can be thrown from a handler, and nothing but the plainest calls may be made. Where nobody can be told, the
/// exit code has to do.
[[noreturn]] void end_at_once() {
  constexpr std::string_view kEraseLine = "\r\x1b[K";
  constexpr std::string_view kSentence = "meshmul: error: the run was interrupted\n";
  [[maybe_unused]] ssize_t written = 0;
  if (shows_progress.load()) written = write(STDERR_FILENO, kEraseLine.data(), kEraseLine.size());
  written = write(STDERR_FILENO, kSentence.data(), kSentence.size());
  _exit(128 + signal_that_came.load());
}

void note_signal(int signal) {
  int none = 0;
  if (signal == SIGALRM || !signal_that_came.compare_exchange_strong(none, signal)) end_at_once();
  alarm(kSecondsForAnOrderlyEnd);
}

}  // namespace

void catch_interrupts() {
  shows_progress = isatty(STDERR_FILENO) != 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // system calls of work that is to end in order do not fail halfway
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) sigaction(signal, &action, nullptr);
}

int interrupted_by() { return signal_that_came.load(); }

void stop_if_interrupted() {
  if (interrupted_by() != 0) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
}

}  // namespace meshmul::cli
