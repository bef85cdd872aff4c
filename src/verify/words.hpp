#pragma once
// Small phrases that several findings share.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "meshmul/box.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul::verification {

/// `1 element`, `3 elements`
inline std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// `rank 1, lane compute, op 6 (line 52)`
inline std::string op_text(const Schedule& schedule, const OpPlace& place) {
  const RankProgram& program = schedule.ranks[static_cast<std::size_t>(place.rank)];
  return fmt::format("rank {}, lane {}, op {} (line {})", place.rank,
                     program.lanes[static_cast<std::size_t>(place.lane)].name, place.op, line_of(schedule, place));
}

/// `[2, 3]`
inline std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace meshmul::verification
