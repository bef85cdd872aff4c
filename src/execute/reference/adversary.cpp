#include "adversary.hpp"

namespace meshmul {
namespace {

// Who would do each of `choices`.
std::vector<Actor> actors_of(const std::vector<Choice>& choices, const Machine& machine) {
  std::vector<Actor> actors;
  for (const Choice& choice : choices) {
    if (choice.kind == Choice::Kind::kOp) {
      actors.push_back({choice.rank, choice.lane, Actor::kNoTransfer});
    } else {
      const OpPlace& op = machine.transfers()[static_cast<std::size_t>(choice.transfer)].op;
      actors.push_back({op.rank, op.lane, op.op});
    }
  }
  return actors;
}

}  // namespace

std::uint32_t Adversary::weight(const Actor& actor) {
  const auto [place, added] = weights_.try_emplace(actor, 0);
  if (added) place->second = 256U >> (random_() % 9);
  return place->second;
}

std::size_t Adversary::choose(const std::vector<Actor>& actors) {
  constexpr std::uint64_t kStepsPerMood = 64;
  if (random_() % kStepsPerMood == 0) weights_.clear();
  std::vector<std::uint64_t> ends;
  std::uint64_t total = 0;
  for (const Actor& actor : actors) {
    total += weight(actor);
    ends.push_back(total);
  }
  const std::uint64_t chosen = random_() % total;
  std::size_t i = 0;
  while (ends[i] <= chosen) ++i;
  return i;
}

Choice Adversary::choose(const std::vector<Choice>& choices, const Machine& machine) {
  return choices[choose(actors_of(choices, machine))];
}

}  // namespace meshmul
