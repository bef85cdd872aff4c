#pragma once
// What ops of a lane are merged into, as lines that a test can compare.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::testing {

/// A line for each of what `merge` makes of the first lane of rank 1; `line_of` writes it, and is given a function that writes
/// regions: buffer, rank and box, `A@2[0:4]`.
template <class Merge, class LineOf>
std::vector<std::string> merged_lines(const std::string& schedule_text, Merge merge, LineOf line_of) {
  const Schedule schedule = parse_schedule(schedule_text);
  const auto text = [&](const Region& region) {
    return fmt::format("{}@{}{}", schedule.buffers[static_cast<std::size_t>(region.buffer)].name, region.rank,
                       region.box.str());
  };
  std::vector<std::string> lines;
  for (const auto& merged : merge(schedule, schedule.ranks[1].lanes[0])) lines.push_back(line_of(merged, text));
  return lines;
}

}  // namespace meshmul::testing
