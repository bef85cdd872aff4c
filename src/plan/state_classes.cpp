#include "plan/state_classes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace meshmul {
namespace {

/// The least of `kind` along axes that contain `at_least` and lie in `at_most`.
double least_seconds(const CostModel& cost, MoveKind kind, AxisSet at_least, AxisSet at_most, double payload_bytes) {
  double least = std::numeric_limits<double>::infinity();
  const AxisSet rest = at_most & ~at_least;
  for (AxisSet more = 0;; more = (more - rest) & rest) {
    if (const AxisSet travelled = at_least | more; travelled != 0)
      least = std::min(least, cost.price(kind, travelled, payload_bytes).seconds);
    if (more == rest) return least;
  }
}

/// What the single move from a state of one class to one of the other takes at least; nothing if there is none.
std::optional<ClassInReach> in_reach(const StateClass& from, const StateClass& to, AxisSet kept_unreduced,
                                     const CostModel& cost) {
  const AxisSet reduced = from.unreduced & ~to.unreduced;
  const AxisSet spread = to.unreduced & ~from.unreduced;
  if (reduced != 0) {
    const bool scatters = to.cut == (from.cut | reduced);
    if (spread != 0 || (to.cut != from.cut && !scatters)) return std::nullopt;
    const MoveKind kind = scatters ? MoveKind::kReduceScatter : MoveKind::kAllReduce;
    return ClassInReach{0, cost.price(kind, reduced, from.least_bytes).seconds, to.least_bytes, !scatters};
  }
  if (spread != 0) {
    const bool has_sums = from.unreduced != 0;
    if (to.cut != from.cut || (!has_sums && (spread & ~kept_unreduced) != 0)) return std::nullopt;
    return ClassInReach{0, 0, to.least_bytes, true};
  }
  const AxisSet lost = from.cut & ~to.cut;
  const AxisSet gained = to.cut & ~from.cut;
  if (lost == 0 && gained != 0) return ClassInReach{};  // a slice
  if (from.cut == 0) return std::nullopt;
  // Anything that was cut may travel; all that no longer cuts has to.
  double seconds = least_seconds(cost, MoveKind::kRedistribute, lost, from.cut, to.least_bytes);
  if (lost == 0)
    seconds = std::min(seconds, least_seconds(cost, MoveKind::kAllToAll, 0, from.cut, to.least_bytes));
  else if (gained == 0)
    seconds = std::min(seconds, cost.price(MoveKind::kAllGather, lost, to.least_bytes).seconds);
  return ClassInReach{0, seconds, to.least_bytes, false};
}

}  // namespace

StateClasses::StateClasses(std::span<const PackedSharding> states, std::span<const double> bytes,
                           AxisSet kept_unreduced, const CostModel& cost) {
  std::vector<int> number_of(std::size_t{kNumAxisSets} * kNumAxisSets, -1);
  for (std::size_t state = 0; state < states.size(); ++state) {
    const auto [unreduced, dims, cut] = states[state];
    int& number = number_of[std::size_t{unreduced} * kNumAxisSets + cut];
    if (number == -1) {
      number = num_classes();
      classes_.push_back({unreduced, cut, {}, bytes[state]});
    }
    StateClass& its = classes_[static_cast<std::size_t>(number)];
    place_of_.push_back(static_cast<int>(its.states.size()));
    its.states.push_back(static_cast<int>(state));
    its.least_bytes = std::min(its.least_bytes, bytes[state]);
    class_of_.push_back(number);
  }
  after_.resize(classes_.size());
  before_.resize(classes_.size());
  for (std::size_t from = 0; from < classes_.size(); ++from)
    for (std::size_t to = 0; to < classes_.size(); ++to) {
      std::optional<ClassInReach> found = in_reach(classes_[from], classes_[to], kept_unreduced, cost);
      if (!found) continue;
      found->number = static_cast<int>(to);
      after_[from].push_back(*found);
      found->number = static_cast<int>(from);
      before_[to].push_back(*found);
    }
}

}  // namespace meshmul
