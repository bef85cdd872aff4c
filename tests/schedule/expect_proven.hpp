#pragma once
// What a schedule of ours must stand: the verifier finds nothing, and nothing is under way when its lanes end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"
#include "schedule/effects.hpp"

namespace meshmul::testing {

/// A signal that rises more often than any wait of its rank is for: who raises it may still be under way at the end.
inline std::optional<std::string> unawaited_signal_in(const Schedule& schedule) {
  std::map<std::pair<int, int>, std::pair<std::uint64_t, std::uint64_t>> words;  // rank, signal: increments, awaited
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        const Effects effects = effects_of(op, rank);
        for (const Raise& raise : effects.raises) ++words[{raise.rank, raise.signal}].first;
        if (!effects.wait) continue;
        std::uint64_t& awaited = words[{rank, effects.wait->signal}].second;
        awaited = std::max(awaited, effects.wait->threshold);
      }
  for (const auto& [word, counts] : words)
    if (counts.first > counts.second)
      return fmt::format("signal {} of rank {} is raised {} times and awaited {}",
                         schedule.signals[static_cast<std::size_t>(word.second)].name, word.first, counts.first,
                         counts.second);
  return std::nullopt;
}

/// True if waits and signals put everything in order; what the values are is not asked.
inline bool is_in_order(const Schedule& schedule) {
  const std::vector<Finding> findings = verify(schedule);
  return !unawaited_signal_in(schedule) && std::all_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.rule == Rule::kCoverage;
  });
}

/// The first wait that could be left out; nothing if there is none. As text: rank, lane, wait.
inline std::optional<std::string> redundant_wait_in(const Schedule& schedule) {
  Schedule mutant = schedule;
  for (int rank = 0; rank < mutant.num_ranks(); ++rank)
    for (Lane& lane : mutant.ranks[static_cast<std::size_t>(rank)].lanes)
      for (std::size_t i = 0; i < lane.ops.size(); ++i) {
        if (!std::holds_alternative<Wait>(lane.ops[i])) continue;
        const Op wait = lane.ops[i];
        lane.ops.erase(lane.ops.begin() + static_cast<std::ptrdiff_t>(i));
        const bool is_redundant = is_in_order(mutant);
        lane.ops.insert(lane.ops.begin() + static_cast<std::ptrdiff_t>(i), wait);
        if (is_redundant) return fmt::format("rank {}, lane {}: {}", rank, lane.name, to_string(schedule, rank, wait));
      }
  return std::nullopt;
}

inline void expect_proven(const Schedule& schedule) {
  for (const Finding& finding : verify(schedule)) ADD_FAILURE() << to_string(finding, schedule);
  EXPECT_EQ(unawaited_signal_in(schedule), std::nullopt);
}

}  // namespace meshmul::testing
