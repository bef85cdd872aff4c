#pragma once
// A program that this process has started and will not leave behind.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace meshmul {

/// What to start, and what it finds when it begins.
struct ChildSettings {
  /// A descriptor of this process, and its number in the program.
  struct Descriptor {
    int here = -1;
    int there = -1;
  };

  std::filesystem::path program;        ///< looked for in PATH if it is a name alone
  std::vector<std::string> arguments;   ///< without the name of the program
  std::vector<std::string> variables;   ///< of its environment, `NAME=value`, in the place of those of this process
  std::vector<Descriptor> descriptors;  ///< passed on in this order
};

/// Runs in a process group of its own, so that Ctrl-C at the terminal reaches this process alone; with default signal
/// actions, this process's standard output and error, an empty standard input, and no other descriptors, but for those that
/// its settings pass on.
class ChildProcess {
 public:
  /// Throws Error(kMachine) if it cannot be started.
  explicit ChildProcess(ChildSettings settings);
  /// Kills its group if it still runs, and waits for its end.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;

  pid_t id() const { return id_; }

  /// How it ended (`was killed by SIGKILL`, `ended with exit status 1`), or nothing while it lives.
  std::optional<std::string> find_end();
  /// The same, once it has ended.
  std::string wait_for_end();
  /// True while a signal like SIGSTOP keeps it from running.
  bool is_stopped() const;
  /// It, and the programs that it has started in its group.
  void kill();

 private:
  pid_t id_ = -1;
  std::optional<std::string> end_;
};

/// The program of that name that the shell would start; nothing if there is none in PATH.
std::optional<std::filesystem::path> find_in_path(const std::string& name);

}  // namespace meshmul
