#pragma once
// The shards of all inputs, or of all outputs, of a schedule, as C sees them.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "meshmul/c_api.h"
#include "meshmul/schedule.hpp"

namespace meshmul::c_api {

/// A shard and what its fields point to.
struct Shard : meshmul_shard {
  Shard(const Schedule& schedule, const Holding& holding);
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  std::string array;
  Region region;
  std::int64_t offset_bytes = 0;  ///< of its first element, in its buffer
  bool is_empty = false;
  std::vector<std::int64_t> begins, extents, steps;
};

class Shards {
 public:
  Shards(const Schedule& schedule, const std::vector<Holding>& holdings);

  /// Throws Error(kInvalidArgument) with the names or ranks that there are. `whose`: `input`, `output`.
  const Shard& find(const std::string& array, int rank, const std::string& whose) const;
  /// Null if it is none of these.
  const Shard* find(const meshmul_shard* shard) const;

 private:
  std::deque<Shard> shards_;  // handed out, so that they never move
  int num_ranks_;
};

}  // namespace meshmul::c_api
