#include "race_walk.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "run_steps.hpp"
#include "schedule/effect_table.hpp"
#include "schedule/op_regions.hpp"

namespace meshmul::verification {
namespace {

// Collects where the boxes of one buffer begin, along each dimension.
struct Beginnings {
  std::vector<std::vector<std::vector<std::int64_t>>> places;  // by buffer and dimension

  explicit Beginnings(const Schedule& schedule) : places(schedule.buffers.size()) {
    for (std::size_t b = 0; b < places.size(); ++b) places[b].resize(schedule.buffers[b].shape.size());
  }
  void add(const Region& region) {
    for (int d = 0; d < region.box.num_dims(); ++d)
      places[static_cast<std::size_t>(region.buffer)][static_cast<std::size_t>(d)].push_back(region.box[d].begin);
  }
  void reads(const Region& region) { add(region); }
  void writes(const Region& region) { add(region); }
  void raises(const Raise&) {}
  void waits(const Wait&) {}
};

// The dimension with the most beginnings, -1 for a scalar.
int most_cut(std::vector<std::vector<std::int64_t>>& places) {
  int most = -1;
  std::ptrdiff_t most_places = -1;
  for (std::size_t d = 0; d < places.size(); ++d) {
    std::sort(places[d].begin(), places[d].end());
    const std::ptrdiff_t count = std::unique(places[d].begin(), places[d].end()) - places[d].begin();
    if (count <= most_places) continue;
    most_places = count;
    most = static_cast<int>(d);
  }
  return most;
}

// For each buffer the dimension along which most accesses differ, as far as the first ops of one rank show: ranks mostly
// do the same.
std::vector<int> cut_dims(const Schedule& schedule) {
  constexpr std::size_t kSample = 10'000;
  Beginnings beginnings(schedule);
  std::size_t left = kSample;
  for (int rank = 0; rank < schedule.num_ranks() && left == kSample; ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (std::size_t i = 0; i < lane.ops.size() && left > 0; ++i, --left) walk_effects(lane.ops[i], rank, beginnings);
  std::vector<int> dims;
  for (auto& places : beginnings.places) dims.push_back(most_cut(places));
  return dims;
}

}  // namespace

void RaceWalk::OpEffects::clear() {
  reads_of.clear();
  writes_of.clear();
  raises_of.clear();
}

RaceWalk::RaceWalk(const Schedule& schedule, const TokenRun& run, bool is_followed)
    : schedule_(schedule), lanes_(schedule), clocks_(schedule, lanes_, run, is_followed) {
  const std::vector<int> dims = cut_dims(schedule);
  history_.reserve(schedule.ranks.size() * dims.size());
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    for (const int dim : dims) history_.emplace_back(dim);
  for_each_step(schedule, run, [&](const OpPlace& place, const Op& op) { step(place, op); });
}

void RaceWalk::step(const OpPlace& place, const Op& op) {
  Access access;
  access.lane = lanes_.number(place.rank, place.lane);
  access.moment = place.op;
  if (const auto* wait = std::get_if<Wait>(&op)) return clocks_.pass(access.lane, access.moment, place.rank, *wait);
  access.asynchronous = is_put_or_get(op);
  effects_.clear();
  walk_effects(op, place.rank, effects_);
  for (const Raise& raise : effects_.raises_of) {
    // The signals of a put or get publish what stands before it; all others the op itself too.
    const Increment increment = clocks_.raise(access.lane, access.moment + (access.asynchronous ? 0 : 1), raise);
    (raise.event == Event::kReadDone ? access.read_done : access.write_visible) = increment;
  }
  touch_all(effects_, access);
}

void RaceWalk::touch_all(const OpEffects& effects, const Access& access) {
  bool is_first = true;
  for (const bool is_write : {true, false})
    for (const Region* region : is_write ? effects.writes_of : effects.reads_of) {
      // Whatever races with reading one's destination races with writing it.
      if (!is_write && !effects.writes_of.empty() && region == effects.writes_of.front()) continue;
      if (!touch(*region, is_write, access) && !std::exchange(is_first, false)) races_.pop_back();
    }
}

bool RaceWalk::touch(const Region& region, bool is_write, Access access) {
  access.box = &region.box;
  access.is_write = is_write;
  AccessHistory& history = history_[static_cast<std::size_t>(region.rank) * schedule_.buffers.size() +
                                    static_cast<std::size_t>(region.buffer)];
  const std::optional<Access> earlier = history.add(access, clocks_);
  if (earlier) races_.push_back({region.rank, region.buffer, *earlier, access});
  return !earlier;
}

}  // namespace meshmul::verification
