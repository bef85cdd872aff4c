#include "peer_program.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kMachine, what + ": " + std::generic_category().message(errno));
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
                         const std::vector<std::string>& variables) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("cannot make a socket");
  socket_ = FileDescriptor(ends[0]);
  const FileDescriptor its_end(ends[1]);
  process_.emplace(ChildSettings{
      program, arguments, variables, {{its_end.number(), STDIN_FILENO}, {its_end.number(), STDOUT_FILENO}}});
}

void PeerProgram::ask(std::span<const std::byte> question, std::span<std::byte> answer,
                      const std::function<bool()>& interrupted) const {
  // A program that has ended is met by the read.
  if (send(socket_.number(), question.data(), question.size(), MSG_NOSIGNAL) < 0 && errno != EPIPE)
    fail("cannot ask a program");
  while (!answer.empty()) {
    constexpr int kPatienceMs = 100;
    pollfd readable{socket_.number(), POLLIN, 0};
    if (interrupted && interrupted()) throw Error(ErrorCode::kInterrupted, "interrupted");
    if (poll(&readable, 1, kPatienceMs) <= 0) continue;
    const ssize_t count = read(socket_.number(), answer.data(), answer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw Error(ErrorCode::kMachine, "a program that was to be measured against has ended");
    answer = answer.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace meshmul::measure
