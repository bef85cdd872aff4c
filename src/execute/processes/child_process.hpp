#pragma once
// A program that this process has started and will not leave behind.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "execute/cpu/file_descriptor.hpp"

namespace meshmul {

/// Runs in a process group of its own, so that Ctrl-C at the terminal reaches this process alone; with default signal
/// actions, an empty standard input, this process's standard output and error, no other descriptor but one socket, and
/// one thread for OpenBLAS.
class ChildProcess {
 public:
  /// `socket` becomes descriptor kRankSocket of the program. Throws Error(kMachine) if it cannot be started.
  ChildProcess(const std::filesystem::path& program, std::vector<std::string> arguments, const FileDescriptor& socket);
  /// Kills it if it still runs, and waits for its end.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t id() const { return id_; }

  /// How it ended (`was killed by SIGKILL`, `ended with exit status 1`), or nothing while it lives.
  std::optional<std::string> find_end();
  /// True while a signal like SIGSTOP keeps it from running.
  bool is_stopped() const;
  void kill();

 private:
  pid_t id_;
  std::optional<std::string> end_;
};

}  // namespace meshmul
