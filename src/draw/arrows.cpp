#include "draw/arrows.hpp"

#include "schedule/effects.hpp"

namespace meshmul::drawing {
namespace {

// Calls `visit(rank, op, number)` for all ops, numbered as their spans are.
template <class Visit>
void for_each_op(const Schedule& schedule, const Visit& visit) {
  std::int32_t number = 0;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) visit(rank, op, number++);
}

}  // namespace

std::vector<Arrow> arrows(const Schedule& schedule) {
  // A word has one writing lane, whose increments become visible in program order: that in which ops are visited.
  const std::size_t num_signals = schedule.signals.size();
  std::vector<std::vector<std::int32_t>> increments(num_signals * schedule.ranks.size());
  const auto word = [&](int rank, int signal) -> auto& {
    return increments[static_cast<std::size_t>(rank) * num_signals + static_cast<std::size_t>(signal)];
  };
  for_each_op(schedule, [&](int rank, const Op& op, std::int32_t number) {
    for (const Raise& raise : raises_of(op, rank)) word(raise.rank, raise.signal).push_back(number);
  });
  std::vector<Arrow> arrows;
  for_each_op(schedule, [&](int rank, const Op& op, std::int32_t number) {
    const auto* wait = std::get_if<Wait>(&op);
    if (wait == nullptr || wait->threshold == 0) return;
    const std::vector<std::int32_t>& raised = word(rank, wait->signal);
    if (wait->threshold <= raised.size()) arrows.push_back({raised[wait->threshold - 1], number});
  });
  return arrows;
}

}  // namespace meshmul::drawing
