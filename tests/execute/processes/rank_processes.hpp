#pragma once
// Looks at the rank programs from outside, as the system lists them.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

namespace meshmul {

/// The first line of a file of /proc; empty if the process is gone.
inline std::string read_line(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// As in /proc/PID/stat: R running, S sleeping, T stopped, Z ended and not waited for; X if there is no such process.
inline char state_of(pid_t id) {
  const std::string stat = read_line("/proc/" + std::to_string(id) + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end == std::string::npos ? 'X' : stat[name_end + 2];
}

/// The children of `parent` that run, or did run, meshmul-rank, by rank. One that has ended and was not waited for has
/// lost its number and counts as a negative one.
inline std::map<int, pid_t> rank_processes(pid_t parent = getpid()) {
  std::map<int, pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t id = std::atoi(entry.path().filename().c_str());
    if (id == 0) continue;
    // `PID (name) state parent …`
    const std::string stat = read_line(entry.path() / "stat");
    const std::size_t name = stat.find('('), end = stat.rfind(')');
    if (end == std::string::npos || stat.substr(name + 1, end - name - 1) != "meshmul-rank") continue;
    if (std::atoi(stat.c_str() + end + 4) != parent) continue;
    // `meshmul-rank`, `rank`, `3`, each ended by a zero byte.
    std::ifstream command(entry.path() / "cmdline");
    std::string word, number;
    std::getline(command, word, '\0');
    std::getline(command, word, '\0');
    std::getline(command, number, '\0');
    found[number.empty() ? -1 - static_cast<int>(found.size()) : std::atoi(number.c_str())] = id;
  }
  return found;
}

/// Waits until `holds()`; false if that takes ten seconds.
template <class Condition>
bool eventually(Condition holds) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace meshmul
