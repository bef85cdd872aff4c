#pragma once
// Every sharding of an array and every move from one to another, made as docs/planning.md defines them. Shares nothing
// with src/plan, and knows no costs.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "meshmul/plan.hpp"

namespace meshmul::testing {

struct PossibleMove {
  int from = 0, to = 0;  ///< numbers of shardings
  MoveKind kind = MoveKind::kSlice;
  std::vector<int> axes;  ///< along which data travels, sorted; none of a Slice or an Unreduce
};

/// A Permute is a Redistribute here. Between two shardings there may be several moves.
class PossibleMoves {
 public:
  PossibleMoves(int num_dims, int num_axes) : num_dims_(num_dims), num_axes_(num_axes) {
    for (const auto& unreduced : subsets(all_axes())) {
      Sharding none = Sharding::replicated(num_dims);
      none.unreduced = unreduced;
      for (Sharding& sharding : appended(none, unused(none), false)) {
        numbers_[key(sharding)] = static_cast<int>(shardings_.size());
        shardings_.push_back(std::move(sharding));
      }
    }
    for (const Sharding& from : shardings_) add_moves(from);
  }

  /// They are made once for each number of dimensions and mesh axes.
  static const PossibleMoves& of(int num_dims, int num_axes) {
    static std::map<std::pair<int, int>, PossibleMoves> known;
    return known.try_emplace({num_dims, num_axes}, num_dims, num_axes).first->second;
  }

  const std::vector<Sharding>& shardings() const { return shardings_; }
  const std::vector<PossibleMove>& moves() const { return moves_; }
  int number(const Sharding& sharding) const { return numbers_.at(key(sharding)); }

  /// The shardings without partial sums.
  std::vector<int> complete() const {
    std::vector<int> numbers;
    for (const Sharding& sharding : shardings_)
      if (sharding.unreduced.empty()) numbers.push_back(number(sharding));
    return numbers;
  }

  /// The axes that `sharding` does nothing with.
  std::vector<int> unused(const Sharding& sharding) const {
    std::vector<int> axes = all_axes();
    std::erase_if(axes, [&](int axis) {
      const auto has = [axis](const std::vector<int>& some) { return std::count(some.begin(), some.end(), axis) > 0; };
      return has(sharding.unreduced) || std::any_of(sharding.dims.begin(), sharding.dims.end(), has);
    });
    return axes;
  }

  static std::vector<std::vector<int>> subsets(const std::vector<int>& axes) {
    std::vector<std::vector<int>> all{{}};
    for (const int axis : axes)
      for (std::size_t i = all.size(); i-- > 0;) {
        all.push_back(all[i]);
        all.back().push_back(axis);
      }
    return all;
  }

 private:
  using Key = std::pair<std::vector<std::vector<int>>, std::vector<int>>;
  using Dims = std::set<std::size_t>;

  static Key key(const Sharding& sharding) { return {sharding.dims, sharding.unreduced}; }

  std::vector<int> all_axes() const {
    std::vector<int> axes;
    for (int axis = 0; axis < num_axes_; ++axis) axes.push_back(axis);
    return axes;
  }

  /// Everything that `sharding` becomes when axes of `pool`, all or any of them, are put at the minor end of dimensions,
  /// in every order; not of those in `closed`.
  std::vector<Sharding> appended(const Sharding& sharding, const std::vector<int>& pool, bool all,
                                 const Dims& closed = {}) const {
    std::vector<Sharding> results;
    if (!all || pool.empty()) results.push_back(sharding);
    for (const int axis : pool)
      for (std::size_t dim = 0; dim < sharding.dims.size(); ++dim) {
        if (closed.contains(dim)) continue;
        Sharding next = sharding;
        next.dims[dim].push_back(axis);
        std::vector<int> rest = pool;
        std::erase(rest, axis);
        for (Sharding& result : appended(next, rest, all, closed)) results.push_back(std::move(result));
      }
    return results;
  }

  void add(const Sharding& from, const Sharding& to, MoveKind kind, std::vector<int> axes) {
    if (from == to) return;
    std::sort(axes.begin(), axes.end());
    PossibleMove move{number(from), number(to), kind, std::move(axes)};
    if (known_.insert({move.from, move.to, kind}).second) moves_.push_back(std::move(move));
  }

  void add_moves(const Sharding& from) {
    const std::vector<int> idle = unused(from);
    for (const Sharding& to : appended(from, idle, false)) add(from, to, MoveKind::kSlice, {});
    for (const auto& axes : subsets(idle)) {
      Sharding to = from;
      to.unreduced.insert(to.unreduced.end(), axes.begin(), axes.end());
      std::sort(to.unreduced.begin(), to.unreduced.end());
      add(from, to, MoveKind::kUnreduce, {});
    }
    add_gathers_and_exchanges(from, from, {}, {});
    for (const auto& axes : subsets(from.unreduced)) {
      Sharding reduced = from;
      std::erase_if(reduced.unreduced, [&](int axis) { return std::count(axes.begin(), axes.end(), axis) > 0; });
      add(from, reduced, MoveKind::kAllReduce, axes);
      for (const Sharding& to : appended(reduced, axes, true)) add(from, to, MoveKind::kReduceScatter, axes);
    }
    for (const Sharding& to : shardings_)
      if (const std::vector<int> lost = lost_axes(from, to); to.unreduced == from.unreduced && !lost.empty())
        add(from, to, MoveKind::kRedistribute, lost);
  }

  /// Takes the minor axis off one more dimension; what was taken off is gathered, or goes to dimensions that lost none.
  void add_gathers_and_exchanges(const Sharding& from, const Sharding& now, const std::vector<int>& taken,
                                 const Dims& losers) {
    if (!taken.empty()) {
      add(from, now, MoveKind::kAllGather, taken);
      for (const Sharding& to : appended(now, taken, true, losers)) add(from, to, MoveKind::kAllToAll, taken);
    }
    for (std::size_t dim = 0; dim < now.dims.size(); ++dim) {
      if (now.dims[dim].empty()) continue;
      Sharding less = now;
      std::vector<int> more = taken;
      more.push_back(less.dims[dim].back());
      less.dims[dim].pop_back();
      Dims all_losers = losers;
      all_losers.insert(dim);
      add_gathers_and_exchanges(from, less, more, all_losers);
    }
  }

  /// The axes that cut a dimension of `from` from where it differs from `to`.
  static std::vector<int> lost_axes(const Sharding& from, const Sharding& to) {
    std::vector<int> lost;
    for (std::size_t d = 0; d < from.dims.size(); ++d) {
      const auto differ = std::mismatch(from.dims[d].begin(), from.dims[d].end(), to.dims[d].begin(), to.dims[d].end());
      lost.insert(lost.end(), differ.first, from.dims[d].end());
    }
    return lost;
  }

  int num_dims_, num_axes_;
  std::vector<Sharding> shardings_;
  std::map<Key, int> numbers_;
  std::vector<PossibleMove> moves_;
  std::set<std::tuple<int, int, MoveKind>> known_;
};

}  // namespace meshmul::testing
