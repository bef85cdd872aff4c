#include "checked_schedule.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"
#include "verify/rules.hpp"

namespace meshmul {
namespace {

bool exists(const Schedule& schedule, const Region& region) {
  if (region.rank < 0 || region.rank >= schedule.num_ranks()) return false;
  if (region.buffer < 0 || region.buffer >= static_cast<int>(schedule.buffers.size())) return false;
  const Shape& shape = schedule.buffers[static_cast<std::size_t>(region.buffer)].shape;
  return region.box.num_dims() == static_cast<int>(shape.size()) && Box::whole(shape).contains(region.box);
}

}  // namespace

Schedule checked(Schedule schedule) {
  const std::vector<Finding> findings = verification::check_program(schedule);
  if (!findings.empty()) throw Error(ErrorCode::kInvalidArgument, to_string(findings.front(), schedule));
  for (const auto* holdings : {&schedule.contract.inputs, &schedule.contract.outputs})
    for (const Holding& holding : *holdings) {
      if (!exists(schedule, holding.region))
        throw Error(
            ErrorCode::kInvalidArgument,
            fmt::format("the contract says that {} lies in {} of buffer number {} of rank {}, which is not there",
                        holding.array, holding.region.box.str(), holding.region.buffer, holding.region.rank));
      schedule.buffers[static_cast<std::size_t>(holding.region.buffer)].symmetric = true;
    }
  return schedule;
}

void check_times(const Schedule& schedule, std::int64_t times) {
  if (times < 1)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("a schedule cannot be run {} times; at least once", times));
  if (times > 1 && schedule.capabilities.barrier)
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("the schedule requires a barrier between runs, so it cannot be run {} times in one go; legalize it "
                    "for a backend without one",
                    times));
}

}  // namespace meshmul
