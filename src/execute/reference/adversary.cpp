#include "adversary.hpp"

namespace meshmul {

std::uint32_t Adversary::weight(const Actor& actor) {
  const auto [place, added] = weights_.try_emplace(actor, 0);
  if (added) place->second = 256U >> (random_() % 9);
  return place->second;
}

Choice Adversary::choose(const std::vector<Choice>& choices, const Machine& machine) {
  constexpr std::uint64_t kStepsPerMood = 64;
  if (random_() % kStepsPerMood == 0) weights_.clear();
  std::vector<std::uint64_t> ends;
  std::uint64_t total = 0;
  for (const Choice& choice : choices) {
    Actor actor{choice.rank, choice.lane, -1};
    if (choice.kind == Choice::Kind::kPiece) {
      const OpPlace& op = machine.transfers()[static_cast<std::size_t>(choice.transfer)].op;
      actor = {op.rank, op.lane, op.op};
    }
    total += weight(actor);
    ends.push_back(total);
  }
  const std::uint64_t chosen = random_() % total;
  std::size_t i = 0;
  while (ends[i] <= chosen) ++i;
  return choices[i];
}

}  // namespace meshmul
