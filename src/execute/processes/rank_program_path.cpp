#include "rank_program_path.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul {

namespace fs = std::filesystem;

std::vector<fs::path> rank_program_candidates() {
  const fs::path name = "meshmul-rank";
  if (const char* chosen = std::getenv("MESHMUL_RANK_PROGRAM")) return {fs::path(chosen)};
  std::vector<fs::path> candidates;
  std::error_code unreadable;
  const fs::path self = fs::read_symlink("/proc/self/exe", unreadable);
  if (!unreadable) {
    candidates.push_back(self.parent_path() / name);
    candidates.push_back(self.parent_path().parent_path() / "libexec" / "meshmul" / name);
  }
  candidates.push_back(fs::path(MESHMUL_INSTALLED_RANK_FOLDER) / name);
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
