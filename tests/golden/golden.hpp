#pragma once
// Reads golden files: cases of a text that goes in and a text that must come out, so that adding one needs no C++.

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/tests_folder.hpp"

namespace meshmul::testing {

struct GoldenCase {
  std::string name;
  std::string in;
  std::string out;
};

/// `file` is relative to the tests folder. A case is a line `== name`, lines that go in, a line `--`, lines that come
/// out. What stands before the first case is a comment. Neither text ends in a newline.
inline std::vector<GoldenCase> read_golden(const std::string& file) {
  std::ifstream stream(tests_folder() / file);
  if (!stream) throw std::runtime_error("cannot read the golden file " + file);
  std::vector<GoldenCase> cases;
  std::string* part = nullptr;
  bool first = true;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("== ", 0) == 0) {
      cases.push_back({line.substr(3), "", ""});
      part = &cases.back().in;
      first = true;
    } else if (line == "--" && part != nullptr) {
      part = &cases.back().out;
      first = true;
    } else if (part != nullptr) {
      if (!first) *part += '\n';
      *part += line;
      first = false;
    }
  }
  return cases;
}

}  // namespace meshmul::testing
