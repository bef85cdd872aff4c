#include "overwriting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

namespace fs = std::filesystem;

// Where a file lies, whatever links lead to it. What cannot be looked up stays as it was given.
fs::path place(const std::string& file, std::error_code& failure) {
  const fs::path absolute = fs::absolute(file, failure);
  const fs::path canonical = failure ? fs::path() : fs::weakly_canonical(absolute, failure);
  return failure ? fs::path(file) : canonical;
}

}  // namespace

void refuse_overwriting(const std::string& option, const std::string& file, const std::vector<std::string>& others) {
  if (file.empty()) return;
  std::error_code failure;
  const fs::path target = place(file, failure);
  if (failure) throw Error(ErrorCode::kInvalidArgument, fmt::format("{} {}: {}", option, file, failure.message()));
  std::error_code ignored;
  const auto is_target = [&](const std::string& other) { return !other.empty() && place(other, ignored) == target; };
  if (std::any_of(others.begin(), others.end(), is_target))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} {} would overwrite a file that this command reads or writes; expected another name",
                            option, file));
}

std::vector<std::string> read_files(const StatementOptions& options) { return {options.statement, options.hardware}; }

}  // namespace meshmul::cli
