#include "execute/cuda/sum_chains.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "schedule/conflicts.hpp"
#include "schedule/effects.hpp"

namespace meshmul::cuda {
namespace {

class ChainFinder {
 public:
  ChainFinder(const Schedule& schedule, int rank, int lane, const OtherLanes& others, const std::set<int>& absorbed,
              const CanSum& can_sum)
      : schedule_(schedule),
        ops_(schedule.ranks[static_cast<std::size_t>(rank)].lanes[static_cast<std::size_t>(lane)].ops),
        rank_(rank),
        others_(others),
        absorbed_(absorbed),
        can_sum_(can_sum) {}

  std::vector<SumChain> find() {
    std::vector<SumChain> chains;
    for (int op = 0; op < num_ops(); ++op) {
      auto chain = chain_from(op);
      if (!chain) continue;
      op = chain->last_op;
      chains.push_back(std::move(*chain));
    }
    return chains;
  }

 private:
  int num_ops() const { return static_cast<int>(ops_.size()); }
  const Op& at(int op) const { return ops_[static_cast<std::size_t>(op)]; }
  Dtype dtype(const Region& region) const { return schedule_.buffers[static_cast<std::size_t>(region.buffer)].dtype; }

  /// The op, if it is of this kind and adds or rounds f32 in order of the dimensions.
  template <class AnyOp>
  const AnyOp* plain(int op) const {
    const auto* found = std::get_if<AnyOp>(&at(op));
    if (found == nullptr || !found->permutation.empty() || absorbed_.contains(op)) return nullptr;
    const bool f32 =
        accumulator_of(dtype(found->dst)) == Dtype::kF32 && accumulator_of(dtype(found->src)) == Dtype::kF32;
    return f32 ? found : nullptr;
  }
  bool raises(int op) const {
    const Raises raised = raises_of(at(op), rank_);
    return raised.begin() != raised.end();
  }
  int behind_waits(int op) const {
    while (op < num_ops() && std::holds_alternative<Wait>(at(op))) ++op;
    return op;
  }

  std::optional<SumChain> chain_from(int first) {
    SumChain chain{.first_op = first, .last_op = first, .dst = {}, .terms = {}};
    if (const auto* copy = plain<Copy>(first)) {
      chain.dst = copy->dst;
      chain.terms = {copy->src};
    } else if (const auto* reduce = plain<Reduce>(first)) {
      chain.dst = reduce->dst;
      chain.terms = {reduce->dst, reduce->src};
    } else {
      return std::nullopt;
    }
    if (dtype(chain.dst) != Dtype::kF32 || !can_sum_(chain.dst, chain.terms)) return std::nullopt;
    while (!raises(chain.last_op) && add_term(chain)) {
    }
    if (!raises(chain.last_op)) add_copy(chain);
    return chain.last_op == first ? std::nullopt : std::optional(std::move(chain));
  }

  bool add_term(SumChain& chain) const {
    const int next = behind_waits(chain.last_op + 1);
    const auto* reduce = next < num_ops() ? plain<Reduce>(next) : nullptr;
    if (reduce == nullptr || reduce->dst != chain.dst) return false;
    chain.terms.push_back(reduce->src);
    if (!can_sum_(chain.dst, chain.terms)) {
      chain.terms.pop_back();
      return false;
    }
    chain.last_op = next;
    return true;
  }

  void add_copy(SumChain& chain) const {
    const int next = behind_waits(chain.last_op + 1);
    const auto* copy = next < num_ops() ? plain<Copy>(next) : nullptr;
    if (copy == nullptr || copy->src != chain.dst || overlaps_any(copy->dst, chain.terms) ||
        !can_sum_(copy->dst, chain.terms) || is_read_later(chain.dst, chain.first_op, next))
      return;
    chain.dst = copy->dst;
    chain.last_op = next;
  }

  /// Whether anybody but ops `first` to `last` reads what these leave in `sum`, in this run or the next one.
  bool is_read_later(const Region& sum, int first, int last) const {
    const auto holds = [&](const Holding& holding) { return overlap(holding.region, sum); };
    if (schedule_.buffers[static_cast<std::size_t>(sum.buffer)].symmetric || sum.rank != rank_ ||
        std::ranges::any_of(schedule_.contract.outputs, holds) || std::ranges::any_of(schedule_.contract.inputs, holds))
      return true;
    if (others_.read(sum)) return true;
    // Round the lane, run after run, to the op that overwrites it.
    for (int i = 1; i <= num_ops(); ++i) {
      const int op = (last + i) % num_ops();
      const Effects effects = effects_of(at(op), rank_);
      if (overlaps_any(sum, effects.reads)) return true;
      if (op == first || std::ranges::any_of(effects.writes, [&](const Region& some) { return covers(some, sum); }))
        return false;
    }
    return true;
  }

  const Schedule& schedule_;
  const std::vector<Op>& ops_;
  int rank_;
  const OtherLanes& others_;
  const std::set<int>& absorbed_;
  const CanSum& can_sum_;
};

}  // namespace

std::vector<SumChain> sum_chains(const Schedule& schedule, int rank, int lane, const OtherLanes& others,
                                 const std::set<int>& absorbed, const CanSum& can_sum) {
  return ChainFinder(schedule, rank, lane, others, absorbed, can_sum).find();
}

}  // namespace meshmul::cuda
