#include "mpi_peer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "meshmul/error.hpp"
#include "peer_program.hpp"

namespace meshmul::measure {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "meshmul-mpi-collectives";
constexpr const char* kMpirun = "mpirun";

std::string first_line_of(const char* command) {
  FILE* pipe = popen(command, "re");
  if (pipe == nullptr) return "";
  std::array<char, 256> line{};
  const bool is_read = std::fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr;
  while (std::fgetc(pipe) != EOF) {
  }
  if (pclose(pipe) != 0 || !is_read) return "";
  std::string text(line.data());
  return text.substr(0, text.find('\n'));
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kMachine, fmt::format("{}: {}", what, std::strerror(errno)));
}

// Open for reading and writing: neither waits for the other end.
FileDescriptor make_pipe(const fs::path& path) {
  if (mkfifo(path.c_str(), S_IRUSR | S_IWUSR) != 0) fail("cannot make the pipe " + path.string());
  FileDescriptor pipe(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!pipe.is_open()) fail("cannot open the pipe " + path.string());
  return pipe;
}

// This process's own; and mpirun, which refuses to run for root, is told that root means it.
std::vector<char*> environment_of_mpirun() {
  static std::array<std::string, 2> as_root{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  for (std::string& variable : as_root) environment.push_back(variable.data());
  environment.push_back(nullptr);
  return environment;
}

// In a process group of its own, so that Ctrl-C reaches this process alone. What it says goes to a file.
pid_t start_mpirun(const fs::path& program, const fs::path& folder, int num_ranks) {
  std::vector<std::string> arguments{kMpirun,          "--oversubscribe", "-n", std::to_string(num_ranks),
                                     program.string(), folder.string()};
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder / "says").c_str(), O_WRONLY | O_CREAT, S_IRUSR);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t id = -1;
  const int result = posix_spawnp(&id, kMpirun, &actions, &attributes, pointers.data(), environment_of_mpirun().data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  errno = result;
  if (result != 0) fail("cannot start mpirun");
  return id;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

bool MpiPeer::is_available() { return find_peer_program(kProgram).has_value() && !mpi_version().empty(); }

std::string mpi_version() {
  // `mpirun (Open MPI) 4.1.4`
  std::string line = first_line_of("mpirun --version 2>/dev/null");
  for (const char* word : {"mpirun ", "(", ")"})
    if (const std::size_t at = line.find(word); at != std::string::npos) line.erase(at, std::strlen(word));
  return line;
}

MpiPeer::MpiPeer(int num_ranks, std::function<bool()> interrupted) : interrupted_(std::move(interrupted)) {
  const std::optional<fs::path> program = find_peer_program(kProgram);
  if (!program) throw Error(ErrorCode::kMachine, fmt::format("cannot find the program {}", kProgram));
  for (int rank = 0; rank < num_ranks; ++rank)
    batches_.push_back(make_pipe(folder_.path() / ("rank" + std::to_string(rank))));
  answers_ = make_pipe(folder_.path() / "answers");
  mpirun_ = start_mpirun(*program, folder_.path(), num_ranks);
}

MpiPeer::~MpiPeer() {
  batches_.clear();
  using namespace std::chrono_literals;
  for (int i = 0; mpirun_ > 0 && i < 100 && !has_ended(); ++i) std::this_thread::sleep_for(20ms);
  if (mpirun_ > 0) {
    kill(-mpirun_, SIGKILL);
    waitpid(mpirun_, nullptr, 0);
  }
}

bool MpiPeer::has_ended() {
  if (mpirun_ > 0 && waitpid(mpirun_, nullptr, WNOHANG) == mpirun_) mpirun_ = -1;
  return mpirun_ < 0;
}

double MpiPeer::run(const MpiBatch& batch) {
  for (const FileDescriptor& pipe : batches_)
    if (write(pipe.number(), &batch, sizeof(batch)) != static_cast<ssize_t>(sizeof(batch)))
      fail("cannot ask a rank of MPI for a batch");
  for (;;) {
    constexpr int kPatienceMs = 100;
    pollfd answer{answers_.number(), POLLIN, 0};
    if (interrupted_()) throw Error(ErrorCode::kInterrupted, "interrupted");
    if (poll(&answer, 1, kPatienceMs) > 0) {
      double seconds = 0;
      if (read(answers_.number(), &seconds, sizeof(seconds)) == static_cast<ssize_t>(sizeof(seconds))) return seconds;
      fail("cannot read the answer of MPI");
    }
    if (has_ended())
      throw Error(ErrorCode::kMachine, fmt::format("mpirun has ended: {}", text_of(folder_.path() / "says")));
  }
}

}  // namespace meshmul::measure
