#pragma once
// What tests of files share: whole files as strings, and the committed files.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/temporary_folder.hpp"
#include "meshmul/error.hpp"
#include "support/tests_folder.hpp"

namespace meshmul {

/// A file that tests/io/data/make_fixtures.py has written.
inline std::string fixture(const std::string& name) { return (testing::tests_folder() / "io/data" / name).string(); }

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
