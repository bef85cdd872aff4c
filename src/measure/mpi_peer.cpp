#include "mpi_peer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
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
constexpr const char* kSays = "says";  // a file

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

// What it says goes to a file. mpirun refuses to run for root unless it is told that root means it.
ChildSettings mpirun_settings(const fs::path& program, const fs::path& folder, int num_ranks,
                              const FileDescriptor& says) {
  return {kMpirun,
          {"--oversubscribe", "-n", std::to_string(num_ranks), program.string(), folder.string()},
          {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
          {{says.number(), STDOUT_FILENO}, {says.number(), STDERR_FILENO}}};
}

FileDescriptor open_to_write(const fs::path& path) {
  FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.is_open()) fail("cannot make the file " + path.string());
  return file;
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
  const FileDescriptor says = open_to_write(folder_.path() / kSays);
  mpirun_.emplace(mpirun_settings(*program, folder_.path(), num_ranks, says));
}

MpiPeer::~MpiPeer() {
  batches_.clear();
  using namespace std::chrono_literals;
  for (int i = 0; i < 100 && !mpirun_->find_end(); ++i) std::this_thread::sleep_for(20ms);
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
    if (const auto end = mpirun_->find_end())
      throw Error(ErrorCode::kMachine, fmt::format("mpirun {}: {}", *end, text_of(folder_.path() / kSays)));
  }
}

}  // namespace meshmul::measure
