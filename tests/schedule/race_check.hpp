#pragma once
// Finds races in a schedule by vector clocks, and arrivals that nobody awaits; it knows nothing of how builders place
// signals. A second opinion on add_handshakes and legalize, for small schedules.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"
#include "schedule/effects.hpp"

namespace meshmul::testing {

class RaceCheck {
 public:
  explicit RaceCheck(const Schedule& schedule) : schedule_(schedule) {}

  /// A sentence about the first fault, or nothing.
  std::optional<std::string> fault() {
    collect_lanes();
    if (!run()) return "the lanes do not come to their ends";
    for (std::size_t later = 0; later < ops_.size(); ++later)
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        if (conflict(ops_[earlier], ops_[later]) && !ordered(ops_[earlier], ops_[later]) &&
            !ordered(ops_[later], ops_[earlier]))
          return fmt::format("no order between {} and {}", text(ops_[earlier]), text(ops_[later]));
    for (const auto& [word, increments] : words_)
      if (increments.size() > awaited_[word])
        return fmt::format("signal {} of rank {} is raised {} times and awaited {}",
                           schedule_.signals[static_cast<std::size_t>(word.second)].name, word.first, increments.size(),
                           awaited_[word]);
    return std::nullopt;
  }

 private:
  // Components: lanes (synchronous ops that are over), and words (increments seen).
  using Clock = std::map<std::pair<int, int>, std::size_t>;
  using Word = std::pair<int, int>;  // rank, signal

  struct Running {
    int lane = 0;
    int rank = 0;
    std::size_t number = 0;  // in the lane
    const Op* op = nullptr;
    Effects effects;
    Clock clock;                                                        // when the op starts
    std::map<Event, std::vector<std::pair<Word, std::size_t>>> raised;  // increments, by event
  };

  static void learn(Clock& clock, const Clock& other) {
    for (const auto& [key, count] : other) clock[key] = std::max(clock[key], count);
  }
  static std::pair<int, int> lane_key(int lane) { return {-1, lane}; }

  void collect_lanes() {
    for (int rank = 0; rank < schedule_.num_ranks(); ++rank)
      for (const Lane& lane : schedule_.ranks[static_cast<std::size_t>(rank)].lanes) lanes_.push_back({rank, &lane});
    positions_.assign(lanes_.size(), 0);
    clocks_.assign(lanes_.size(), {});
  }

  // Steps every lane as far as it goes, again and again. True if all come to their ends.
  bool run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
        while (step(lane)) moved = true;
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
      if (positions_[lane] < lanes_[lane].second->ops.size()) return false;
    return true;
  }

  bool step(std::size_t lane) {
    const auto& [rank, program] = lanes_[lane];
    if (positions_[lane] == program->ops.size()) return false;
    const Op& op = program->ops[positions_[lane]];
    Effects effects = effects_of(op, rank);
    if (effects.wait && !pass(lane, {rank, effects.wait->signal}, effects.wait->threshold)) return false;
    Running running{static_cast<int>(lane), rank, positions_[lane]++, &op, std::move(effects), clocks_[lane], {}};
    if (!running.effects.asynchronous) clocks_[lane][lane_key(static_cast<int>(lane))] = running.number + 1;
    for (const Raise& raise : running.effects.raises) {
      const Word word{raise.rank, raise.signal};
      auto& increments = words_[word];
      Clock published = clocks_[lane];
      published[word] = increments.size() + 1;
      increments.push_back(std::move(published));
      running.raised[raise.event].emplace_back(word, increments.size());
    }
    ops_.push_back(std::move(running));
    return true;
  }

  bool pass(std::size_t lane, const Word& word, std::uint64_t threshold) {
    const auto& increments = words_[word];
    if (increments.size() < threshold) return false;
    for (std::size_t i = 0; i < threshold; ++i) learn(clocks_[lane], increments[i]);
    awaited_[word] = std::max<std::size_t>(awaited_[word], threshold);
    return true;
  }

  static bool overlapping(const std::vector<Region>& a, const std::vector<Region>& b) {
    for (const Region& x : a)
      for (const Region& y : b)
        if (x.rank == y.rank && x.buffer == y.buffer && overlap(x.box, y.box)) return true;
    return false;
  }
  static bool conflict(const Running& a, const Running& b) {
    return overlapping(a.effects.writes, b.effects.writes) || overlapping(a.effects.writes, b.effects.reads) ||
           overlapping(a.effects.reads, b.effects.writes);
  }

  // True if all of `a` that matters to `b` is over before `b` starts.
  static bool ordered(const Running& a, const Running& b) {
    const auto seen = [&b](const std::pair<int, int>& key, std::size_t count) {
      const auto found = b.clock.find(key);
      return found != b.clock.end() && found->second >= count;
    };
    if (!a.effects.asynchronous)
      return (a.lane == b.lane && a.number < b.number) || seen(lane_key(a.lane), a.number + 1);
    const bool only_read =
        !overlapping(a.effects.writes, b.effects.writes) && !overlapping(a.effects.writes, b.effects.reads);
    const auto any_seen = [&](Event event) {
      const auto found = a.raised.find(event);
      return found != a.raised.end() && std::any_of(found->second.begin(), found->second.end(),
                                                    [&](const auto& raise) { return seen(raise.first, raise.second); });
    };
    return any_seen(Event::kWriteVisible) || (only_read && any_seen(Event::kReadDone));
  }

  std::string text(const Running& running) const {
    return fmt::format("'{}' of rank {}, lane {}", to_string(schedule_, running.rank, *running.op), running.rank,
                       lanes_[static_cast<std::size_t>(running.lane)].second->name);
  }

  const Schedule& schedule_;
  std::vector<std::pair<int, const Lane*>> lanes_;
  std::vector<std::size_t> positions_;
  std::vector<Clock> clocks_;
  std::vector<Running> ops_;
  std::map<Word, std::vector<Clock>> words_;  // what each increment publishes
  std::map<Word, std::size_t> awaited_;
};

inline std::optional<std::string> race_in(const Schedule& schedule) { return RaceCheck(schedule).fault(); }

/// The verifier finds nothing, and there is no race.
inline void expect_proven(const Schedule& schedule) {
  for (const Finding& finding : verify(schedule)) ADD_FAILURE() << to_string(finding, schedule);
  EXPECT_EQ(race_in(schedule), std::nullopt);
}

/// The first wait that could be left out without a race and with every increment still awaited; nothing if there is
/// none. As text: rank, lane, wait.
inline std::optional<std::string> redundant_wait_in(const Schedule& schedule) {
  Schedule mutant = schedule;
  for (int rank = 0; rank < mutant.num_ranks(); ++rank)
    for (Lane& lane : mutant.ranks[static_cast<std::size_t>(rank)].lanes)
      for (std::size_t i = 0; i < lane.ops.size(); ++i) {
        if (!std::holds_alternative<Wait>(lane.ops[i])) continue;
        const Op wait = lane.ops[i];
        lane.ops.erase(lane.ops.begin() + static_cast<std::ptrdiff_t>(i));
        const bool still_right = !race_in(mutant);
        lane.ops.insert(lane.ops.begin() + static_cast<std::ptrdiff_t>(i), wait);
        if (still_right) return fmt::format("rank {}, lane {}: {}", rank, lane.name, to_string(schedule, rank, wait));
      }
  return std::nullopt;
}

}  // namespace meshmul::testing
