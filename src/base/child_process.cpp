#include "child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

// What posix_spawn is to do between the two programs. It runs nothing of ours there, so it is safe with threads.
class SpawnPlan {
 public:
  explicit SpawnPlan(const std::vector<ChildSettings::Descriptor>& descriptors) {
    posix_spawn_file_actions_init(&actions_);
    int last = STDERR_FILENO;
    bool has_input = false;
    for (const auto& [here, there] : descriptors) {
      posix_spawn_file_actions_adddup2(&actions_, here, there);
      last = std::max(last, there);
      has_input = has_input || there == STDIN_FILENO;
    }
    if (!has_input) posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions_, last + 1);

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

std::string_view name_of_variable(std::string_view variable) { return variable.substr(0, variable.find('=')); }

// `variables`, and those of this process that have other names; ends with a null pointer.
std::vector<char*> environment_with(std::vector<std::string>& variables) {
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  for (char** own = environ; *own != nullptr; ++own)
    if (std::ranges::none_of(variables, [own](const std::string& variable) {
          return name_of_variable(variable) == name_of_variable(*own);
        }))
      environment.push_back(*own);
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

ChildProcess::ChildProcess(ChildSettings settings) {
  std::string name = settings.program.filename().string();
  std::vector<char*> argv{name.data()};
  for (std::string& argument : settings.arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::vector<char*> environment = environment_with(settings.variables);
  const SpawnPlan plan(settings.descriptors);
  const int failure =
      posix_spawnp(&id_, settings.program.c_str(), plan.actions(), plan.attributes(), argv.data(), environment.data());
  if (failure != 0)
    throw Error(ErrorCode::kMachine, fmt::format("cannot start {}: {}", settings.program.string(),
                                                 std::generic_category().message(failure)));
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

std::string ChildProcess::wait_for_end() {
  siginfo_t info{};
  // Its end stays there to be found.
  while (!end_ && waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  return *find_end();
}

bool ChildProcess::is_stopped() const {
  if (end_) return false;
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(id_), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
}

void ChildProcess::kill() {
  // Until it has been waited for, its number cannot belong to another process.
  if (!find_end()) ::kill(-id_, SIGKILL);
}

std::optional<fs::path> find_in_path(const std::string& name) {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return std::nullopt;
  const std::string_view all = folders;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find(':', begin), all.size());
    const fs::path program = fs::path(all.substr(begin, end - begin)) / name;  // an empty part is the folder at hand
    std::error_code unreadable;
    if (fs::is_regular_file(program, unreadable) && access(program.c_str(), X_OK) == 0) return program;
    begin = end + 1;
  }
  return std::nullopt;
}

}  // namespace meshmul
