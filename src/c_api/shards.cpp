#include "c_api/shards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/did_you_mean.hpp"
#include "base/word_list.hpp"
#include "meshmul/error.hpp"

namespace meshmul::c_api {

Shard::Shard(const Schedule& schedule, const Holding& holding)
    : array(holding.array), region(holding.region), is_empty(holding.global.empty()) {
  const BufferDecl& buffer = schedule.buffers[static_cast<std::size_t>(region.buffer)];
  const int dims = holding.global.num_dims();
  steps.resize(static_cast<std::size_t>(dims));
  std::int64_t step = 1;
  for (int d = dims - 1; d >= 0; --d) {
    steps[static_cast<std::size_t>(d)] = step;
    offset_bytes += region.box[d].begin * step * size_bytes(buffer.dtype);
    step *= buffer.shape[static_cast<std::size_t>(d)];
  }
  for (const Interval& interval : holding.global) {
    begins.push_back(interval.begin);
    extents.push_back(interval.size());
  }
  dtype = name(buffer.dtype).data();
  element_bytes = size_bytes(buffer.dtype);
  num_dims = dims;
  begin = begins.data();
  shape = extents.data();
  strides = steps.data();
}

Shards::Shards(const Schedule& schedule, const std::vector<Holding>& holdings) : num_ranks_(schedule.num_ranks()) {
  for (const Holding& holding : holdings) shards_.emplace_back(schedule, holding);
}

const Shard& Shards::find(const std::string& array, int rank, const std::string& whose) const {
  std::vector<std::string> names;
  for (const Shard& shard : shards_) {
    if (shard.array == array && shard.region.rank == rank) return shard;
    if (std::ranges::find(names, shard.array) == names.end()) names.push_back(shard.array);
  }
  if (std::ranges::find(names, array) != names.end())
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("there is no rank {}; expected 0 to {}", rank, num_ranks_ - 1));
  throw Error(ErrorCode::kInvalidArgument, fmt::format("the statement has no {} {}; expected {}{}", whose, array,
                                                       word_list(names, "or"), did_you_mean(array, names)));
}

const Shard* Shards::find(const meshmul_shard* shard) const {
  const auto found = std::ranges::find(shards_, shard, [](const Shard& each) -> const meshmul_shard* { return &each; });
  return found == shards_.end() ? nullptr : &*found;
}

}  // namespace meshmul::c_api
