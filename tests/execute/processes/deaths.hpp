#pragma once
// Deaths at random moments: how many, whose, of what, when; and a count of what became of the runs.

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <string>

#include "execute/cpu/file_descriptor.hpp"

namespace meshmul {

/// A number from the environment, for long runs by hand.
inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// What is sent, and when: so long after the victim was first seen.
struct Death {
  int signal = SIGKILL;  ///< or SIGSTOP
  std::chrono::microseconds delay{0};

  std::string name() const { return signal == SIGKILL ? "killed" : "stopped"; }
};

/// A process that is to die: the one that has this number now, and none that gets it later.
class Victim {
 public:
  explicit Victim(pid_t id) : id_(id), file_(static_cast<int>(syscall(SYS_pidfd_open, id, 0))) {}

  pid_t id() const { return id_; }
  void send(int signal) const { syscall(SYS_pidfd_send_signal, file_.number(), signal, nullptr, 0); }

 private:
  pid_t id_;
  FileDescriptor file_;
};

/// The part of all deaths that a test takes: of MESHMUL_DEATHS, or 50 unless that is set. They come from the seed
/// MESHMUL_DEATHS_SEED, which is printed. Their moments are those of a busy machine, so that the same seed gives the same
/// plan and not the same events.
class Deaths {
 public:
  explicit Deaths(int percent)
      : count_(static_cast<int>(number_from_environment("MESHMUL_DEATHS", 50)) * percent / 100),
        seed_(number_from_environment("MESHMUL_DEATHS_SEED", 1)),
        random_(seed_) {
    std::cout << fmt::format("{} deaths from seed {}\n", count_, seed_);
  }
  ~Deaths() {
    for (const auto& [what, times] : outcomes_) std::cout << fmt::format("{:6} {}\n", times, what);
  }
  Deaths(const Deaths&) = delete;
  Deaths& operator=(const Deaths&) = delete;

  int count() const { return count_; }

  /// Of somebody who lives for `life`, from the first moment until a little after the last.
  Death next(std::chrono::microseconds life) {
    const std::int64_t longest = life.count() * 11 / 10;
    return {below(2) == 0 ? SIGKILL : SIGSTOP, std::chrono::microseconds(below(longest + 1))};
  }
  std::int64_t below(std::int64_t limit) { return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_); }

  void note(const std::string& outcome) { ++outcomes_[outcome]; }

 private:
  int count_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  std::map<std::string, int> outcomes_;
};

/// Names of `folder` with `part` in them.
inline int count_names(const std::filesystem::path& folder, const std::string& part) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().find(part) != std::string::npos) ++count;
  return count;
}

}  // namespace meshmul
