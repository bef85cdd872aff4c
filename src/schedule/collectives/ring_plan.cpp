#include "ring_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "ring.hpp"
#include "ring_shares.hpp"

namespace meshmul {
namespace {

// The hops of one block in one phase.
struct Journey {
  RingStep next;
  int num_hops = 0;
  int size = 0;  // of the ring
  int held = 0;  // blocks of a rank before the phase
};

class GatherOrder {
 public:
  GatherOrder(const Mesh& mesh, const std::vector<RingPart>& parts, Ways ways)
      : mesh_(mesh), parts_(parts), ways_(ways), journeys_(parts.size()), busy_until_(parts.size(), 0) {
    for (std::size_t p = 0; p < parts.size(); ++p) arrive(p, 0, 0, 0);
  }

  std::vector<RingStep> run() {
    while (const std::optional<std::size_t> axis = first_to_begin()) take_step(*axis);
    return std::move(steps_);
  }

 private:
  // From now on a rank can send the block in `phase` and all after it.
  void arrive(std::size_t part, int phase, int block, double time) {
    int held = 1;
    for (int later = 0; later < parts_[part].num_phases(); ++later) {
      const auto size = static_cast<int>(mesh_.size(parts_[part].axis(later)));
      const int num_hops = streams_of(size, ways_).front().num_hops;
      if (later >= phase)
        journeys_[static_cast<std::size_t>(parts_[part].lane_pair(later))].push_back(
            {{part, later, block, 1, time, 0, 0}, num_hops, size, held});
      held *= size;
    }
  }

  // What `axis` sends next: of what it can begin first that of the earliest phase. There is something.
  std::vector<Journey>::iterator next_on(std::size_t axis) {
    const auto key = [&](const Journey& journey) {
      return std::pair(std::max(journey.next.ready, busy_until_[axis]), journey.next.phase);
    };
    return std::min_element(journeys_[axis].begin(), journeys_[axis].end(),
                            [&](const Journey& a, const Journey& b) { return key(a) < key(b); });
  }

  std::optional<std::size_t> first_to_begin() {
    std::optional<std::size_t> first;
    double earliest = 0;
    for (std::size_t axis = 0; axis < journeys_.size(); ++axis) {
      if (journeys_[axis].empty()) continue;
      const double begin = std::max(next_on(axis)->next.ready, busy_until_[axis]);
      if (first && begin >= earliest) continue;
      first = axis;
      earliest = begin;
    }
    return first;
  }

  void take_step(std::size_t axis) {
    const auto journey = next_on(axis);
    RingStep& step = journey->next;
    const bool is_half = ways_ == Ways::kBoth && 2 * step.hop == journey->size;
    step.begin = std::max(step.ready, busy_until_[axis]);
    step.end = step.begin + parts_[step.part].share() * (is_half ? 0.5 : 1);
    busy_until_[axis] = step.end;
    steps_.push_back(step);
    const Journey gone = *journey;
    if (step.hop < journey->num_hops) {
      ++step.hop;
      step.ready = step.end;
    } else {
      journeys_[axis].erase(journey);
    }
    bring(gone, is_half);
  }

  // The blocks that a step brings, by their numbers in HeldBlocks.
  void bring(const Journey& journey, bool is_half) {
    const RingStep& step = journey.next;
    const bool both = ways_ == Ways::kBoth;
    const int first = both ? 2 * step.hop - 1 : step.hop;
    for (int group = first; group <= first + (both && !is_half ? 1 : 0); ++group)
      arrive(step.part, step.phase + 1, group * journey.held + step.block, step.end);
  }

  const Mesh& mesh_;
  const std::vector<RingPart>& parts_;
  Ways ways_;
  std::vector<std::vector<Journey>> journeys_;  // under way or to begin, by axis
  std::vector<double> busy_until_;              // by axis
  std::vector<RingStep> steps_;
};

RingPlan plan_with(const Mesh& mesh, const std::vector<int>& axes, const std::vector<double>& shares, Ways ways) {
  RingPlan plan;
  double begin = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const double end = i + 1 == axes.size() ? 1 : begin + shares[i];
    plan.parts.emplace_back(axes, static_cast<int>(i), begin, end);
    begin = end;
  }
  plan.steps = GatherOrder(mesh, plan.parts, ways).run();
  return plan;
}

double duration(const RingPlan& plan) {
  double end = 0;
  for (const RingStep& step : plan.steps) end = std::max(end, step.end);
  return end;
}

}  // namespace

RingPlan plan_rings(const Mesh& mesh, const std::vector<int>& axes, Ways ways) {
  std::vector<int> longer;
  std::vector<int> sizes;
  for (const int axis : axes) {
    if (mesh.size(axis) == 1) continue;
    longer.push_back(axis);
    sizes.push_back(static_cast<int>(mesh.size(axis)));
  }
  if (longer.empty()) return {{RingPart({}, 0, 0, 1)}, {}};
  const std::vector<double> even(longer.size(), 1.0 / static_cast<double>(longer.size()));
  RingPlan best = plan_with(mesh, longer, even, ways);
  if (std::equal(sizes.begin() + 1, sizes.end(), sizes.begin())) return best;
  const std::vector<double> balanced = balanced_shares(sizes);
  if (*std::min_element(balanced.begin(), balanced.end()) <= 0) return best;
  constexpr int kMixtures = 8;
  for (int mixture = 1; mixture <= kMixtures; ++mixture) {
    std::vector<double> shares = even;
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += (balanced[i] - even[i]) * mixture / kMixtures;
    RingPlan plan = plan_with(mesh, longer, shares, ways);
    if (duration(plan) < duration(best)) best = std::move(plan);
  }
  return best;
}

}  // namespace meshmul
