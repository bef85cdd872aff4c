// Every increment is awaited, in its run or in the next. What nobody awaits tells nobody anything, and a put or get of
// which it tells may go on after everyone has stopped looking.

#include <fmt/format.h>

#include "rules.hpp"
#include "schedule/effects.hpp"
#include "words.hpp"

namespace meshmul::verification {
namespace {

struct Word {
  std::int64_t increments = 0;
  bool is_awaited = false;
  OpPlace first;  // that raises it
};

template <class Visit>
void for_each_op(const Schedule& schedule, Visit visit) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t i = 0; i < lanes[lane].ops.size(); ++i)
        visit(OpPlace{rank, static_cast<int>(lane), static_cast<int>(i)}, lanes[lane].ops[i]);
  }
}

// Of a run that finished.
bool are_all_awaited(const TokenRun& run) {
  std::vector<bool> is_awaited(run.counters.size());
  for (const TokenRun::PassedWait& wait : run.waits) is_awaited[wait.word] = true;
  for (std::size_t word = 0; word < is_awaited.size(); ++word)
    if (run.counters[word] > 0 && !is_awaited[word]) return false;
  return true;
}

}  // namespace

std::vector<Finding> check_drained(const Schedule& schedule, const TokenRun& run) {
  if (run.stuck.empty() && are_all_awaited(run)) return {};
  const std::size_t num_signals = schedule.signals.size();
  std::vector<Word> words(schedule.ranks.size() * num_signals);
  const auto word = [&](int rank, int signal) -> Word& {
    return words[static_cast<std::size_t>(rank) * num_signals + static_cast<std::size_t>(signal)];
  };
  for_each_op(schedule, [&](const OpPlace& place, const Op& op) {
    if (const auto* wait = std::get_if<Wait>(&op)) word(place.rank, wait->signal).is_awaited = true;
    for (const Raise& raise : raises_of(op, place.rank)) {
      Word& raised = word(raise.rank, raise.signal);
      if (raised.increments++ == 0) raised.first = place;
    }
  });
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].increments > 0 && !words[i].is_awaited)
      findings.push_back({Rule::kDrained, words[i].first,
                          fmt::format("raises {} of rank {} ({} a run), for which no lane of that rank waits",
                                      schedule.signals[i % num_signals].name, i / num_signals,
                                      counted(words[i].increments, "increment"))});
  return findings;
}

}  // namespace meshmul::verification
