#include "child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "hello.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

// What posix_spawn is to do between the two programs. It runs nothing of ours there, so it is safe with threads.
class SpawnPlan {
 public:
  explicit SpawnPlan(const FileDescriptor& socket) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, socket.number(), kRankSocket);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, kRankSocket + 1);

    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// This process's own, but that OpenBLAS, which reads it as it is loaded, starts no threads that nobody would use.
std::vector<char*> environment_of_rank() {
  static std::string one_thread = "OPENBLAS_NUM_THREADS=1";
  const std::string_view name = std::string_view(one_thread).substr(0, one_thread.find('=') + 1);
  std::vector<char*> environment{one_thread.data()};
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!std::string_view(*variable).starts_with(name)) environment.push_back(*variable);
  environment.push_back(nullptr);
  return environment;
}

std::string name_of(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::string describe_end(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return fmt::format("ended with exit status {}", info.si_status);
  return fmt::format("was killed by {}", name_of(info.si_status));
}

}  // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program, std::vector<std::string> arguments,
                           const FileDescriptor& socket) {
  arguments.insert(arguments.begin(), program.filename().string());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  std::vector<char*> environment = environment_of_rank();
  const SpawnPlan plan(socket);
  const int failure =
      posix_spawn(&id_, program.c_str(), plan.actions(), plan.attributes(), argv.data(), environment.data());
  if (failure != 0)
    throw Error(ErrorCode::kMachine,
                fmt::format("cannot start {}: {}", program.string(), std::generic_category().message(failure)));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(other.id_), end_(std::exchange(other.end_, "belongs to another object")) {}

ChildProcess::~ChildProcess() {
  kill();
  siginfo_t info;
  while (!end_ && waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED) != 0 && errno == EINTR) continue;
}

std::optional<std::string> ChildProcess::find_end() {
  if (end_) return end_;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG) != 0) {
    // Some programs wait for every child they have, or ignore SIGCHLD.
    if (errno == ECHILD) end_ = "ended, and another part of this program took its exit status";
  } else if (info.si_pid == id_) {
    end_ = describe_end(info);
  }
  return end_;
}

bool ChildProcess::is_stopped() const {
  if (end_) return false;
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id_), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
}

void ChildProcess::kill() {
  // Until it has been waited for, its number cannot belong to another process.
  if (!find_end()) ::kill(id_, SIGKILL);
}

}  // namespace meshmul
