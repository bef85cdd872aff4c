#pragma once
// A folder that goes away with all that is in it.

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "meshmul/error.hpp"

namespace meshmul::measure {

class TemporaryFolder {
 public:
  /// Throws Error(kMachine) if it cannot be made.
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "meshmul-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(ErrorCode::kMachine, fmt::format("cannot make the folder {}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace meshmul::measure
