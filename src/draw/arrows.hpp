#pragma once
// Which op lets each wait pass.

#include <cstdint>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::drawing {

/// From the op whose increment is the last that a wait needs, to that wait; by numbers of spans.
struct Arrow {
  std::int32_t from = 0;
  std::int32_t to = 0;
  bool operator==(const Arrow&) const = default;
};

/// In the order of the waits. A wait for more increments than there are has none.
std::vector<Arrow> arrows(const Schedule& schedule);

}  // namespace meshmul::drawing
