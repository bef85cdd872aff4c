// Finds pairs of ops that touch the same memory, one of them writing, and that no signals put in order.

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "access_history.hpp"
#include "lane_clocks.hpp"
#include "rules.hpp"
#include "schedule/effects.hpp"

namespace meshmul::verification {
namespace {

class RaceFinder {
 public:
  explicit RaceFinder(const Schedule& schedule)
      : schedule_(schedule), clocks_(schedule), history_(schedule.ranks.size() * schedule.buffers.size()) {}

  void step(const OpPlace& place) {
    const Lane& lane =
        schedule_.ranks[static_cast<std::size_t>(place.rank)].lanes[static_cast<std::size_t>(place.lane)];
    const Op& op = lane.ops[static_cast<std::size_t>(place.op)];
    const std::size_t number = clocks_.lane(place.rank, place.lane);
    const Effects effects = effects_of(op, place.rank);
    if (effects.wait) clocks_.pass(number, place.op, place.rank, *effects.wait);
    check(place, number, effects);
    record(place, number, effects);
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  AccessHistory& history(const Region& region) {
    return history_[static_cast<std::size_t>(region.rank) * schedule_.buffers.size() +
                    static_cast<std::size_t>(region.buffer)];
  }

  // Adds one finding at most for an op; with it, others would mostly say the same.
  void check(const OpPlace& place, std::size_t lane, const Effects& effects) {
    for (const Region& region : effects.writes)
      if (check(place, lane, region, true)) return;
    for (const Region& region : effects.reads)
      if (check(place, lane, region, false)) return;
  }

  bool check(const OpPlace& place, std::size_t lane, const Region& region, bool is_write) {
    const Access* earlier = history(region).find_race(region.box, is_write, lane, clocks_);
    if (earlier == nullptr) return false;
    const Region common{region.rank, region.buffer, intersect(earlier->box, region.box)};
    findings_.push_back(
        {Rule::kRace, place,
         fmt::format("{} {}, of which {} {} {}; nothing orders the two", is_write ? "writes" : "reads",
                     to_string(schedule_, place.rank, region), text(earlier->place),
                     earlier->is_write ? "writes" : "reads", to_string(schedule_, place.rank, common))});
    return true;
  }

  std::string text(const OpPlace& place) const {
    const RankProgram& program = schedule_.ranks[static_cast<std::size_t>(place.rank)];
    return fmt::format("rank {}, lane {}, op {} (line {})", place.rank,
                       program.lanes[static_cast<std::size_t>(place.lane)].name, place.op, line_of(schedule_, place));
  }

  void record(const OpPlace& place, std::size_t lane, const Effects& effects) {
    Access access;
    access.place = place;
    access.lane = lane;
    access.asynchronous = effects.asynchronous;
    for (const Raise& raise : effects.raises) {
      // The signals of a put or get publish what stands before it; all others the op itself too.
      const Increment increment = clocks_.raise(lane, place.op + (effects.asynchronous ? 0 : 1), raise);
      (raise.event == Event::kReadDone ? access.read_done : access.write_visible) = increment;
    }
    for (const Region& region : effects.reads) add(region, false, access);
    for (const Region& region : effects.writes) add(region, true, access);
  }

  void add(const Region& region, bool is_write, Access access) {
    access.box = region.box;
    access.is_write = is_write;
    history(region).add(access, clocks_);
  }

  const Schedule& schedule_;
  LaneClocks clocks_;
  std::vector<AccessHistory> history_;  // by rank and buffer
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_races(const Schedule& schedule, const TokenRun& run) {
  RaceFinder finder(schedule);
  for (const TokenEvent& event : run.events)
    if (event.event == Event::kWriteVisible) finder.step(event.place);
  return finder.take();
}

}  // namespace meshmul::verification
