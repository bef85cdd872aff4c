// On a stall: the cycles of waiting lanes, in words, and waits for increments that no op makes.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "rules.hpp"
#include "schedule/effects.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

class StallReader {
 public:
  StallReader(const Schedule& schedule, const TokenRun& run) : schedule_(schedule), run_(run) {}

  std::vector<Finding> read() {
    for (std::size_t i = 0; i < run_.stuck.size(); ++i) number_of_[key(run_.stuck[i])] = i;
    find_writers();
    for (const OpPlace& wait : run_.stuck) raiser_.push_back(find_raiser(wait));
    for (std::size_t i = 0; i < run_.stuck.size(); ++i)
      if (!raiser_[i]) findings_.push_back({Rule::kDeadlock, run_.stuck[i], sentence_without_raiser(run_.stuck[i])});
    find_cycles();
    return std::move(findings_);
  }

 private:
  using LaneKey = std::pair<int, int>;
  using Word = std::pair<int, int>;  // rank, signal
  static LaneKey key(const OpPlace& place) { return {place.rank, place.lane}; }

  const std::vector<Op>& ops_of(const OpPlace& place) const {
    return schedule_.ranks[static_cast<std::size_t>(place.rank)].lanes[static_cast<std::size_t>(place.lane)].ops;
  }
  const Wait& wait_at(const OpPlace& place) const {
    return std::get<Wait>(ops_of(place)[static_cast<std::size_t>(place.op)]);
  }
  std::uint64_t counter(const OpPlace& wait) const {
    return run_.counters[static_cast<std::size_t>(wait.rank) * schedule_.signals.size() +
                         static_cast<std::size_t>(wait_at(wait).signal)];
  }

  // The ops that the stuck lanes did not reach, by the word that they would raise, in program order.
  void find_writers() {
    for (const OpPlace& wait : run_.stuck) pending_[{wait.rank, wait_at(wait).signal}];
    for (OpPlace place : run_.stuck)
      for (; place.op < static_cast<int>(ops_of(place).size()); ++place.op)
        for (const Raise& raise : effects_of(ops_of(place)[static_cast<std::size_t>(place.op)], place.rank).raises) {
          const auto pending = pending_.find({raise.rank, raise.signal});
          if (pending != pending_.end()) pending->second.push_back(place);
        }
  }

  // The op that would raise the awaited word to the threshold; nothing if no op ever does.
  std::optional<OpPlace> find_raiser(const OpPlace& wait) const {
    const std::vector<OpPlace>& pending = pending_.at({wait.rank, wait_at(wait).signal});
    const std::uint64_t missing = wait_at(wait).threshold - counter(wait);
    if (missing > pending.size()) return std::nullopt;
    return pending[missing - 1];
  }

  // The stuck lane that the stuck lane number `lane` waits for.
  std::optional<std::size_t> next(std::size_t lane) const {
    if (!raiser_[lane]) return std::nullopt;
    return number_of_.at(key(*raiser_[lane]));
  }

  // Every lane waits for one lane at most, so a walk ends, meets an earlier walk, or meets itself: a cycle.
  void find_cycles() {
    std::vector<std::optional<std::size_t>> seen_from(run_.stuck.size());
    for (std::size_t start = 0; start < run_.stuck.size(); ++start) {
      std::optional<std::size_t> lane = start;
      for (; lane && !seen_from[*lane]; lane = next(*lane)) seen_from[*lane] = start;
      if (lane && seen_from[*lane] == start)
        findings_.push_back({Rule::kDeadlock, run_.stuck[*lane], sentence_of_cycle(*lane)});
    }
  }

  std::string op_and_line(const OpPlace& place) const {
    return fmt::format("op {} (line {})", place.op, line_of(schedule_, place));
  }
  std::string lane_of(const OpPlace& place) const {
    const RankProgram& program = schedule_.ranks[static_cast<std::size_t>(place.rank)];
    return fmt::format("rank {}, lane {}", place.rank, program.lanes[static_cast<std::size_t>(place.lane)].name);
  }

  std::string waits_for(const OpPlace& place) const {
    const Wait& wait = wait_at(place);
    return fmt::format("waits for {} >= {}, which stands at {}",
                       schedule_.signals[static_cast<std::size_t>(wait.signal)].name, wait.threshold, counter(place));
  }

  std::string sentence_without_raiser(const OpPlace& wait) const {
    const std::size_t pending = pending_.at({wait.rank, wait_at(wait).signal}).size();
    return fmt::format(
        "{}; {}", waits_for(wait),
        pending == 0 ? "no op raises it further"
                     : fmt::format("only {} would raise it", counted(static_cast<std::int64_t>(pending), "more op")));
  }

  // A long cycle goes on as it begins: of its lanes the first and the last few are enough.
  std::string sentence_of_cycle(std::size_t first) const {
    constexpr std::size_t kShownAtEachEnd = 4;
    std::vector<std::size_t> lanes = {first};
    for (std::size_t lane = *next(first); lane != first; lane = *next(lane)) lanes.push_back(lane);
    std::string sentence = waits_for(run_.stuck[first]);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (lanes.size() > 2 * kShownAtEachEnd + 1 && i == kShownAtEachEnd) {
        i = lanes.size() - kShownAtEachEnd;
        sentence +=
            fmt::format("; and so on through {}", counted(static_cast<std::int64_t>(i - kShownAtEachEnd), "more lane"));
      }
      const OpPlace& raiser = *raiser_[lanes[i]];
      sentence += fmt::format("; {}, {} would raise it, but ", lane_of(raiser), op_and_line(raiser));
      if (i + 1 == lanes.size()) break;
      const OpPlace& stuck = run_.stuck[lanes[i + 1]];
      sentence += fmt::format("{} before it {}", op_and_line(stuck), waits_for(stuck));
    }
    return sentence + "stands behind this wait";
  }

  const Schedule& schedule_;
  const TokenRun& run_;
  std::vector<Finding> findings_;
  std::map<LaneKey, std::size_t> number_of_;  // lane to its place in run_.stuck
  std::map<Word, std::vector<OpPlace>> pending_;
  std::vector<std::optional<OpPlace>> raiser_;  // of each stuck lane
};

}  // namespace

std::vector<Finding> check_deadlock(const Schedule& schedule, const TokenRun& run) {
  return StallReader(schedule, run).read();
}

}  // namespace meshmul::verification
