#include "peer_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int number) {
  throw Error(ErrorCode::kMachine, fmt::format("{}: {}", what, std::generic_category().message(number)));
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  return pointers;
}

pid_t spawn(const fs::path& program, std::vector<std::string> arguments, std::vector<std::string> environment,
            int socket) {
  arguments.insert(arguments.begin(), program.string());
  std::vector<char*> argv = pointers_to(arguments);
  argv.push_back(nullptr);
  std::vector<char*> variables = pointers_to(environment);  // of two of one name the first counts
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t id = -1;
  const int failure = posix_spawn(&id, program.c_str(), &actions, &attributes, argv.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) fail("cannot start " + program.string(), failure);
  return id;
}

}  // namespace

std::optional<fs::path> find_peer_program(const std::string& name) {
  std::error_code unreadable;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unreadable).parent_path();
  for (const fs::path& candidate : {folder / name, folder / "../libexec/meshmul" / name})
    if (!unreadable && access(candidate.c_str(), X_OK) == 0) return candidate;
  return std::nullopt;
}

PeerProgram::PeerProgram(const fs::path& program, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& environment) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("cannot make a socket", errno);
  socket_ = FileDescriptor(ends[0]);
  const FileDescriptor its_end(ends[1]);
  id_ = spawn(program, arguments, environment, its_end.number());
}

PeerProgram::~PeerProgram() {
  kill(id_, SIGKILL);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void PeerProgram::ask(std::span<const std::byte> question, std::span<std::byte> answer,
                      const std::function<bool()>& interrupted) const {
  // A program that has ended is met by the read.
  if (send(socket_.number(), question.data(), question.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE)
    fail("cannot ask a program", errno);
  while (!answer.empty()) {
    constexpr int kPatienceMs = 100;
    pollfd readable{socket_.number(), POLLIN, 0};
    if (interrupted()) throw Error(ErrorCode::kInterrupted, "interrupted");
    if (poll(&readable, 1, kPatienceMs) <= 0) continue;
    const ssize_t count = read(socket_.number(), answer.data(), answer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw Error(ErrorCode::kMachine, "a program that was to be measured against has ended");
    answer = answer.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace meshmul::measure
