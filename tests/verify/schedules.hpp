#pragma once
// The schedules of tests/verify/schedules and examples/schedules, and findings as text.

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"
#include "support/tests_folder.hpp"

namespace meshmul::testing {

inline Schedule read_schedule(const std::string& name) {
  std::ifstream file(tests_folder() / "verify/schedules" / (name + ".txt"));
  if (!file) file.open(tests_folder() / "../examples/schedules" / (name + ".txt"));
  if (!file) throw std::runtime_error("cannot read the schedule " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_schedule(text.str());
}

inline std::vector<std::string> findings_of(const Schedule& schedule) {
  std::vector<std::string> lines;
  for (const Finding& finding : verify(schedule)) lines.push_back(to_string(finding, schedule));
  return lines;
}

}  // namespace meshmul::testing
