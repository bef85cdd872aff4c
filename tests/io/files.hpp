#pragma once
// What tests of files share: a folder that goes away, whole files as strings, and the committed files.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "meshmul/error.hpp"

namespace meshmul {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "meshmul-test-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = path;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
    return names;
  }

 private:
  std::filesystem::path path_;
};

/// A file that tests/io/data/make_fixtures.py has written.
inline std::string fixture(const std::string& name) { return std::string(MESHMUL_TEST_DATA) + "/" + name; }

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // some file systems write a file to disk at once when it is cut to nothing
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The sentence that `action` throws, without the leading `prefix`.
template <class Action>
std::string error_of(const Action& action, const std::string& prefix = "") {
  try {
    action();
  } catch (const Error& error) {
    const std::string sentence = error.what();
    return sentence.starts_with(prefix) ? sentence.substr(prefix.size()) : sentence;
  }
  return "no error";
}

}  // namespace meshmul
