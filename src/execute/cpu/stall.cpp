#include "stall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

namespace meshmul {
namespace {

const Lane& lane_at(const WorldSight& sight, int rank, int lane) {
  return sight.schedule.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)];
}

int num_lanes(const WorldSight& sight, int rank) {
  return static_cast<int>(sight.schedule.ranks[static_cast<std::size_t>(rank)].lanes.size());
}

// The op at which a lane stands; nothing if it is finished.
std::optional<OpPlace> place_of(const WorldSight& sight, int rank, int lane) {
  const std::uint32_t position = sight.memory.positions(rank)[static_cast<std::size_t>(lane)].load();
  if (position >= lane_at(sight, rank, lane).ops.size()) return std::nullopt;
  return OpPlace{rank, lane, static_cast<int>(position)};
}

const Op& op_at(const WorldSight& sight, const OpPlace& place) {
  return lane_at(sight, place.rank, place.lane).ops[static_cast<std::size_t>(place.op)];
}

std::uint64_t seen(const WorldSight& sight, int rank, const Wait& wait) {
  return sight.memory.signal(rank, wait.signal).value.load() -
         sight.memory.rank(rank).runs.load() * sight.words.at(rank, wait.signal).raises_per_run;
}

std::string describe_op(const WorldSight& sight, const OpPlace& place) {
  const Op& op = op_at(sight, place);
  std::string sentence =
      fmt::format("lane {}, op {} (line {}): {}", lane_at(sight, place.rank, place.lane).name, place.op,
                  line_of(sight.schedule, place), to_string(sight.schedule, place.rank, op));
  if (const auto* wait = std::get_if<Wait>(&op))
    sentence += fmt::format(", signal {}: expected {}, seen {}",
                            sight.schedule.signals[static_cast<std::size_t>(wait->signal)].name, wait->threshold,
                            seen(sight, place.rank, *wait));
  return sentence;
}

// The op under way, or the first lane that waits.
std::optional<OpPlace> position_of(const WorldSight& sight, int rank) {
  const std::int32_t current = sight.memory.rank(rank).current_lane.load();
  if (current != RankControl::kNoLane) {
    if (const auto place = place_of(sight, rank, current)) return place;
  }
  for (int lane = 0; lane < num_lanes(sight, rank); ++lane)
    if (const auto place = place_of(sight, rank, lane)) return place;
  return std::nullopt;
}

// An op that is no wait, or a wait that would pass: its rank could go on and does not.
bool could_step(const WorldSight& sight, const OpPlace& place) {
  const auto* wait = std::get_if<Wait>(&op_at(sight, place));
  return wait == nullptr || seen(sight, place.rank, *wait) >= wait->threshold;
}

// An op under way, else one that could be.
std::optional<OpPlace> find_cause(const WorldSight& sight) {
  for (int rank = 0; rank < sight.schedule.num_ranks(); ++rank)
    if (sight.memory.rank(rank).current_lane.load() != RankControl::kNoLane)
      if (const auto place = position_of(sight, rank)) return place;
  for (int rank = 0; rank < sight.schedule.num_ranks(); ++rank)
    for (int lane = 0; lane < num_lanes(sight, rank); ++lane)
      if (const auto place = place_of(sight, rank, lane); place && could_step(sight, *place)) return place;
  return std::nullopt;
}

// The waits from `place` on, each link saying who should have raised the signal before it.
std::string describe_chain(const WorldSight& sight, OpPlace place) {
  constexpr std::size_t kMostLinks = 6;
  std::vector<OpPlace> named;
  std::string sentence;
  while (true) {
    sentence += fmt::format("rank {}, {}", place.rank, describe_op(sight, place));
    named.push_back(place);
    const auto* wait = std::get_if<Wait>(&op_at(sight, place));
    if (wait == nullptr) return sentence;  // it has moved since
    const SignalWordUse& word = sight.words.at(place.rank, wait->signal);
    if (word.writer_rank < 0) return sentence + "; no lane raises it";
    const std::string& writer = lane_at(sight, word.writer_rank, word.writer_lane).name;
    const auto next = place_of(sight, word.writer_rank, word.writer_lane);
    if (!next)
      return sentence + fmt::format("; it is raised by rank {}, lane {}, which has ended", word.writer_rank, writer);
    if (std::find(named.begin(), named.end(), *next) != named.end())
      return sentence + fmt::format("; it is raised by rank {}, lane {}: a cycle", word.writer_rank, writer);
    sentence += "; it is raised by ";
    if (named.size() == kMostLinks)
      return sentence + fmt::format("rank {}, lane {}, and so on", word.writer_rank, writer);
    place = *next;
  }
}

}  // namespace

std::string describe_position(const WorldSight& sight, int rank) {
  const auto place = position_of(sight, rank);
  return place ? "at " + describe_op(sight, *place) : "outside of a run";
}

std::string describe_stall(const WorldSight& sight) {
  if (const auto place = find_cause(sight))
    return fmt::format("rank {} does not get past {}", place->rank, describe_op(sight, *place));
  for (int rank = 0; rank < sight.schedule.num_ranks(); ++rank)
    if (const auto place = position_of(sight, rank)) return describe_chain(sight, *place);
  return "every rank has run its program, and one does not return";
}

}  // namespace meshmul
