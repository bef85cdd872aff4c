#pragma once
// How many ops a program has.

#include <cstdint>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// Of all lanes of a rank.
inline std::int64_t num_ops(const RankProgram& program) {
  std::int64_t ops = 0;
  for (const Lane& lane : program.lanes) ops += std::ssize(lane.ops);
  return ops;
}

/// Of all ranks.
inline std::int64_t num_ops(const Schedule& schedule) {
  std::int64_t ops = 0;
  for (const RankProgram& program : schedule.ranks) ops += num_ops(program);
  return ops;
}

}  // namespace meshmul
