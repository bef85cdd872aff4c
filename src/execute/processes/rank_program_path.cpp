#include "rank_program_path.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;

/// A variable of a function, since it may be set before the variables of this file are there.
fs::path& told() {
  static fs::path path;
  return path;
}

}  // namespace

void set_rank_program(std::string path) { told() = std::move(path); }

std::vector<fs::path> rank_program_candidates() {
  const fs::path name = "meshmul-rank";
  if (const char* chosen = std::getenv("MESHMUL_RANK_PROGRAM")) return {fs::path(chosen)};
  std::vector<fs::path> candidates;
  std::error_code unreadable;
  const fs::path self = fs::read_symlink("/proc/self/exe", unreadable);
  if (!unreadable) {
    candidates.push_back(self.parent_path() / name);
    candidates.push_back((self.parent_path() / MESHMUL_RANK_FOLDER_FROM_PROGRAMS / name).lexically_normal());
  }
  if (!told().empty()) candidates.push_back(told());
  return candidates;
}

fs::path find_rank_program() {
  std::string places;
  for (const fs::path& candidate : rank_program_candidates()) {
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    places += fmt::format("{}{}", places.empty() ? "" : ", ", candidate.string());
  }
  throw Error(ErrorCode::kMachine, fmt::format("cannot find the program meshmul-rank; looked at {} (the environment "
                                               "variable MESHMUL_RANK_PROGRAM can name it)",
                                               places));
}

}  // namespace meshmul
