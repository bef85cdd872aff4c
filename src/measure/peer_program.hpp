#pragma once
// A program of this project that is started to be measured against, and that sleeps between two calls.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "execute/cpu/file_descriptor.hpp"

namespace meshmul::measure {

/// Beside the program that runs, or where the installed package has programs that other programs alone call.
std::optional<std::filesystem::path> find_peer_program(const std::string& name);

class PeerProgram {
 public:
  /// Starts `program` with the variables, each `NAME=value`, in the place of those of this process. Throws Error(kMachine) if it
  /// cannot be started. It is killed when this object goes.
  PeerProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
              const std::vector<std::string>& variables);

  /// Writes `question` to its standard input, and reads as many bytes as `answer` has from its standard output. `interrupted` is
  /// polled, unless it is empty; true throws Error(kInterrupted). Throws Error(kMachine) if the program has ended.
  void ask(std::span<const std::byte> question, std::span<std::byte> answer,
           const std::function<bool()>& interrupted) const;

 private:
  FileDescriptor socket_;
  std::optional<ChildProcess> process_;
};

}  // namespace meshmul::measure
