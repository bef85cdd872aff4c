#pragma once
// A folder for files that are needed for a while.

#include <filesystem>
#include <string>
#include <vector>

namespace meshmul {

/// Is made among the temporary files when it is constructed, and goes with all that is in it.
class TemporaryFolder {
 public:
  /// Throws Error(kMachine) if it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The path of the file `name` in it.
  std::string file(const std::string& name) const { return path_ / name; }
  /// Of what is in it, in any order.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

}  // namespace meshmul
