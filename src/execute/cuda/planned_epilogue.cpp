#include "execute/cuda/planned_epilogue.hpp"

#include <algorithm>
#include <utility>

#include "execute/cuda/gemm/product.hpp"
#include "schedule/conflicts.hpp"

namespace meshmul::cuda {
namespace {

bool is_wait(const Op& op) { return std::holds_alternative<Wait>(op); }

/// A product and what it does so far.
struct Chain {
  int first = 0;     ///< op of its first gemm
  int last = 0;      ///< of its last gemm
  int position = 0;  ///< of the last op that it does, or does ahead of all that stands behind `last`
  PlannedEpilogue epilogue;
  std::set<int> absorbed = {};  ///< ops that it does; those that others do count where they stand
};

/// An op that may follow products: `source` is what they made, `operand` the other thing that it reads.
struct Follower {
  MapFunction function = MapFunction::kConvert;
  Region source = {};
  Region result = {};
  std::optional<Region> operand = {};
  std::optional<int> along = {};
  Dtype rounded_to = Dtype::kF32;
};

class Finder {
 public:
  Finder(const Schedule& schedule, int rank, int lane, const OtherLanes& others, const KindOf& kind_of,
         const CanEnd& can_end)
      : schedule_(schedule),
        rank_(rank),
        others_(others),
        ops_(schedule.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].ops),
        can_end_(can_end) {
    for (const Op& op : ops_) effects_.push_back(effects_of(op, rank));
    find_chains(kind_of);
  }

  LaneEpilogues find() {
    for (int op = 0; op < num_ops(); ++op) {
      if (found_.absorbed.contains(op)) continue;
      for (const Follower& follower : followers(op))
        if (absorb(op, follower)) break;
    }
    for (Chain& chain : chains_) {
      if (chain.epilogue.steps.empty() && chain.epilogue.result == gemm(chain.last).c) continue;
      for (int op = chain.first; op <= chain.last; ++op)
        if (!is_wait(at(op))) found_.last_gemm[op] = chain.last;
      found_.of_product.emplace(chain.last, std::move(chain.epilogue));
    }
    return std::move(found_);
  }

 private:
  int num_ops() const { return static_cast<int>(ops_.size()); }
  const Op& at(int op) const { return ops_[static_cast<std::size_t>(op)]; }
  const Gemm& gemm(int op) const { return std::get<Gemm>(at(op)); }
  const Effects& effects(int op) const { return effects_[static_cast<std::size_t>(op)]; }
  const BufferDecl& buffer(const Region& region) const {
    return schedule_.buffers[static_cast<std::size_t>(region.buffer)];
  }
  bool is_of_lane_alone(const Region& region) const { return !others_.touch(region); }

  void find_chains(const KindOf& kind_of) {
    for (int op = 0; op < num_ops(); ++op) {
      const auto* first = std::get_if<Gemm>(&at(op));
      const std::optional<int> kind = first == nullptr ? std::nullopt : kind_of(*first);
      if (!kind) continue;
      Chain chain{.first = op, .last = op, .position = op, .epilogue = {.result = first->c}};
      std::vector<int> ahead;
      if (first->accumulate) {
        ahead = add_terms_ahead(op, chain.epilogue);
        if (ahead.empty()) continue;
      }
      bool raises = first->arrived.has_value();
      for (int next = op + 1; next < num_ops() && !raises; ++next) {
        if (is_wait(at(next))) continue;
        const auto* more = std::get_if<Gemm>(&at(next));
        if (more == nullptr || !more->accumulate || more->c != first->c || kind_of(*more) != kind) break;
        chain.last = chain.position = next;
        raises = more->arrived.has_value();
      }
      op = chain.last;
      if (raises || (!ahead.empty() && !can_end_(*first, chain.epilogue))) continue;
      found_.absorbed.insert(ahead.begin(), ahead.end());
      chain.absorbed.insert(ahead.begin(), ahead.end());
      chains_.push_back(std::move(chain));
    }
  }

  /// What gemm `op` is added to, if that is a sum of terms in f32 that is made right ahead of it: their ops, last one
  /// first.
  std::vector<int> add_terms_ahead(int op, PlannedEpilogue& epilogue) const {
    if (dtype(epilogue.result) != Dtype::kF32) return {};
    std::vector<int> ahead;
    for (int before = op - 1; before >= 0; --before) {
      if (is_wait(at(before))) continue;
      const auto* copy = std::get_if<Copy>(&at(before));
      const auto* reduce = std::get_if<Reduce>(&at(before));
      if (copy == nullptr && reduce == nullptr) return {};
      const Region& dst = copy != nullptr ? copy->dst : reduce->dst;
      const Region& src = copy != nullptr ? copy->src : reduce->src;
      const bool permutes = !(copy != nullptr ? copy->permutation : reduce->permutation).empty();
      const bool arrives = (copy != nullptr ? copy->arrived : reduce->arrived).has_value();
      if (dst != epilogue.result || permutes || arrives || accumulator_of(dtype(src)) != Dtype::kF32) return {};
      ahead.push_back(before);
      epilogue.steps.insert(epilogue.steps.begin(), {.function = MapFunction::kAdd, .operand = src});
      ++epilogue.num_terms_ahead;
      if (copy != nullptr) return ahead;
    }
    return {};
  }

  Dtype dtype(const Region& region) const { return buffer(region).dtype; }

  /// The ways in which an op may follow products.
  std::vector<Follower> followers(int op) const {
    std::vector<Follower> all;
    if (const auto* map = std::get_if<Map>(&at(op))) {
      if (!is_epilogue(map->function) || map->srcs.empty()) return {};
      const auto add = [&](std::size_t source) {
        Follower follower{.function = map->function, .source = map->srcs[source], .result = map->dst};
        if (map->srcs.size() == 2) follower.operand = map->srcs[1 - source];
        follower.along = map->along;
        all.push_back(std::move(follower));
      };
      // What came last is the likeliest to be a product still.
      const bool commutes = map->function == MapFunction::kAdd || map->function == MapFunction::kMul;
      if (commutes) add(1);
      add(0);
    } else if (const auto* copy = std::get_if<Copy>(&at(op))) {
      if (copy->permutation.empty()) all.push_back({.source = copy->src, .result = copy->dst});
    } else if (const auto* reduce = std::get_if<Reduce>(&at(op))) {
      if (!reduce->permutation.empty()) return {};
      all.push_back(
          {.function = MapFunction::kAdd, .source = reduce->dst, .result = reduce->dst, .operand = reduce->src});
      all.push_back(
          {.function = MapFunction::kAdd, .source = reduce->src, .result = reduce->dst, .operand = reduce->dst});
    }
    std::erase_if(all, [&](const Follower& follower) {
      return accumulator_of(dtype(follower.source)) != Dtype::kF32 ||
             accumulator_of(dtype(follower.result)) != Dtype::kF32 ||
             (follower.operand && accumulator_of(dtype(*follower.operand)) != Dtype::kF32);
    });
    return all;
  }

  /// `region`, which has the extents of `whole`, as far as it goes with `part` of `whole`.
  static Region matching(const Region& region, const Box& whole, const Box& part) {
    Region matched{region.rank, region.buffer, {}};
    for (int d = 0; d < whole.num_dims(); ++d) {
      const std::int64_t begin = region.box[d].begin + part[d].begin - whole[d].begin;
      matched.box.push_back({begin, begin + part[d].size()});
    }
    return matched;
  }

  bool absorb(int op, const Follower& follower) {
    // All products that made the source, each of them once.
    std::vector<Chain*> made;
    std::int64_t elements = 0;
    for (Chain& chain : chains_) {
      const Region& result = chain.epilogue.result;
      if (chain.last > op || result.rank != follower.source.rank || result.buffer != follower.source.buffer ||
          !follower.source.box.contains(result.box) || is_overwritten(chain, op))
        continue;
      made.push_back(&chain);
      elements += result.box.num_elements();
    }
    if (made.empty() || elements != follower.source.box.num_elements()) return false;
    const Raises raises = raises_of(at(op), rank_);
    if (raises.begin() != raises.end() && made.size() != 1) return false;
    std::vector<Chain> ended;
    for (const Chain* chain : made) {
      const Box part = chain->epilogue.result.box;
      Follower mine = follower;
      mine.source = chain->epilogue.result;
      mine.result = matching(follower.result, follower.source.box, part);
      if (follower.operand && follower.operand->box.num_dims() == part.num_dims() && !follower.along) {
        mine.operand = matching(*follower.operand, follower.source.box, part);
      } else if (follower.along) {
        const Interval of_part = part[*follower.along], of_whole = follower.source.box[*follower.along];
        const std::int64_t begin = follower.operand->box[0].begin + of_part.begin - of_whole.begin;
        mine.operand->box = Box{{begin, begin + of_part.size()}};
      }
      auto with = ended_by(*chain, op, mine);
      if (!with) return false;
      ended.push_back(std::move(*with));
    }
    for (std::size_t i = 0; i < made.size(); ++i) *made[i] = std::move(ended[i]);
    found_.absorbed.insert(op);
    return true;
  }

  /// Whether something behind a chain, ahead of `op`, wrote or reads what it made: then it is not what `op` reads, or not
  /// that alone.
  bool is_overwritten(const Chain& chain, int op) const {
    for (int other = chain.position + 1; other < op; ++other)
      if (!chain.absorbed.contains(other) && touches(effects(other), chain.epilogue.result)) return true;
    return chain.epilogue.raise.has_value();
  }
  static bool touches(const Effects& effects, const Region& region) {
    return overlaps_any(region, effects.reads) || overlaps_any(region, effects.writes);
  }

  /// The chain with its part of `op` behind it, if that may be.
  std::optional<Chain> ended_by(const Chain& chain, int op, const Follower& follower) const {
    Effects mine;
    mine.reads = {follower.source};
    if (follower.operand) mine.reads.push_back(*follower.operand);
    mine.writes = {follower.result};
    bool only_waits = true, no_waits = true, no_raises = true;
    std::vector<int> waits;
    for (int other = chain.position + 1; other < op; ++other) {
      if (chain.absorbed.contains(other)) continue;
      const Raises raises_between = raises_of(at(other), rank_);
      no_raises = no_raises && raises_between.begin() == raises_between.end();
      if (is_wait(at(other))) {
        no_waits = false;
        waits.push_back(other);
        continue;
      }
      only_waits = false;
      if (conflict(effects(other), mine)) return std::nullopt;
    }
    // Other tiles may still be read while this one's result is written.
    for (int part = chain.first; part <= chain.last; ++part)
      if (const auto* reader = std::get_if<Gemm>(&at(part)))
        if (overlap(reader->a, follower.result) || overlap(reader->b, follower.result)) return std::nullopt;
    std::vector<PlannedStep> steps = chain.epilogue.steps;
    steps.push_back({follower.function, follower.operand, follower.along, dtype(follower.source)});
    for (const PlannedStep& step : steps)
      if (step.operand && overlap(*step.operand, follower.result) && *step.operand != follower.result)
        return std::nullopt;
    // What the product made is nowhere but in its sums.
    if (follower.operand && overlap(*follower.operand, follower.source)) return std::nullopt;
    const bool in_place = follower.result == follower.source;
    // Ahead of waits nothing may be read or written of which these might tell. In place the product has written there
    // already; nobody has been told so who might look at that.
    const bool here_alone =
        ((in_place && no_raises) || is_of_lane_alone(follower.result)) &&
        (!follower.operand || is_of_lane_alone(*follower.operand) || is_constant(*follower.operand));
    const Raises raises = raises_of(at(op), rank_);
    const bool raises_any = raises.begin() != raises.end();
    const bool ahead = !raises_any && (no_waits || here_alone);
    if (!ahead && !only_waits) return std::nullopt;
    if (!in_place && is_read_later(follower.source, op)) return std::nullopt;

    Chain ended = chain;
    ended.absorbed.insert(op);
    if (follower.function != MapFunction::kConvert || dtype(follower.source) != Dtype::kF32)
      ended.epilogue.steps = std::move(steps);
    ended.epilogue.result = follower.result;
    if (!ahead) {
      ended.epilogue.waits.insert(ended.epilogue.waits.end(), waits.begin(), waits.end());
      ended.position = op;
    }
    if (raises_any) ended.epilogue.raise = *raises.begin();
    if (!can_end_(gemm(chain.first), ended.epilogue)) return std::nullopt;
    return ended;
  }

  /// Whether no op of the schedule writes a region: an input.
  bool is_constant(const Region& region) const {
    return std::ranges::none_of(effects_,
                                [&](const Effects& effects) { return overlaps_any(region, effects.writes); }) &&
           !others_.write(region);
  }

  /// Whether what lies in `region` ahead of `op` may be read behind it, by the lane, by others or as an output.
  bool is_read_later(const Region& region, int op) const {
    for (const Holding& output : schedule_.contract.outputs)
      if (overlap(output.region, region)) return true;
    if (!is_of_lane_alone(region)) return true;
    for (int later = op + 1; later < num_ops(); ++later) {
      if (!touches(effects(later), region)) continue;
      // Whoever writes over all of it without reading any ends it.
      return overlaps_any(region, effects(later).reads) ||
             std::ranges::none_of(effects(later).writes, [&](const Region& written) {
               return written.buffer == region.buffer && written.rank == region.rank &&
                      written.box.contains(region.box);
             });
    }
    return false;
  }

  const Schedule& schedule_;
  int rank_;
  const OtherLanes& others_;
  const std::vector<Op>& ops_;
  const CanEnd& can_end_;
  std::vector<Effects> effects_;
  std::vector<Chain> chains_;
  LaneEpilogues found_;
};

}  // namespace

LaneEpilogues plan_epilogues(const Schedule& schedule, int rank, int lane, const OtherLanes& others,
                             const KindOf& kind_of, const CanEnd& can_end) {
  return Finder(schedule, rank, lane, others, kind_of, can_end).find();
}

}  // namespace meshmul::cuda
