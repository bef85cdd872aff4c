#pragma once
// Walks every chain of moves of one array until none finds anything better: plain relaxation, with no order, bound or
// limit that could be wrong.

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "meshmul/layout.hpp"
#include "plan/exhaustive/moves.hpp"
#include "plan/exhaustive/prices.hpp"

namespace meshmul::testing {

struct Cost {
  double move_seconds = 0, product_seconds = 0;
  double bytes = 0;  ///< of memory

  double seconds() const { return move_seconds + product_seconds; }
  double overlapped_seconds() const { return std::max(move_seconds, product_seconds); }
  Cost operator+(const Cost& other) const {
    return {move_seconds + other.move_seconds, product_seconds + other.product_seconds, bytes + other.bytes};
  }
  bool beats(const Cost& other) const {
    return move_seconds <= other.move_seconds && product_seconds <= other.product_seconds && bytes <= other.bytes;
  }
};

/// Costs that nothing beats in everything.
using Front = std::vector<Cost>;

/// False if something beats `cost`.
inline bool add(Front& front, const Cost& cost) {
  if (std::any_of(front.begin(), front.end(), [&](const Cost& other) { return other.beats(cost); })) return false;
  std::erase_if(front, [&](const Cost& other) { return cost.beats(other); });
  front.push_back(cost);
  return true;
}

/// How an array is on its way.
struct Travelling {
  Dtype partial = Dtype::kF32;   ///< with sums still to be completed;
  std::vector<int> kept;         ///< none are over these axes
  std::vector<Dim> last_dims{};  ///< in the order in which the last move writes them; empty: as they are
};

class Chains {
 public:
  using Fronts = std::vector<Front>;  ///< by number of the sharding

  /// `array` in whatever sharding. The mesh has no axis of size 1.
  Chains(const ArrayType& array, const Travelling& travelling, const Mesh& mesh, const Prices& prices)
      : array_(array),
        travelling_(travelling),
        mesh_(mesh),
        all_(PossibleMoves::of(array.num_dims(), mesh.num_axes())) {
    for (const Sharding& sharding : all_.shardings())
      bytes_.push_back(static_cast<double>(max_local_bytes(type(sharding), mesh)));
    for (const PossibleMove& move : all_.moves()) {
      const double seconds = prices.move_seconds(move.kind, move.axes, bytes(move.from), bytes(move.to));
      const double made = move.kind == MoveKind::kSlice ? 0 : bytes(move.to) + scratch(move, array.dims);
      const std::vector<Dim>& last_dims = travelling.last_dims.empty() ? array.dims : travelling.last_dims;
      steps_.push_back({&move, {seconds, 0, made}, {seconds, 0, bytes(move.to) + scratch(move, last_dims)}});
    }
  }

  const PossibleMoves& all() const { return all_; }
  double bytes(int number) const { return bytes_[static_cast<std::size_t>(number)]; }
  double bytes(const Sharding& sharding) const { return bytes(all_.number(sharding)); }

  /// To every sharding from the best of `starts`, with the bytes of that one.
  const Fronts& from(const std::vector<int>& starts) const {
    const auto [known, is_new] = from_.try_emplace(starts, bytes_.size());
    if (!is_new) return known->second;
    Fronts& fronts = known->second;
    for (const int start : starts) add(at(fronts, start), {0, 0, bytes(start)});
    relax([&](const Step& step) {
      bool better = false;
      for (const Cost& cost : at(fronts, step.move->from)) better |= add(at(fronts, step.move->to), cost + step.cost);
      return better;
    });
    return fronts;
  }

  /// From every sharding to the best of `targets` by one move or more. The last one makes an array, also if it is a slice.
  const Fronts& to(const std::vector<int>& targets) const {
    const auto [known, is_new] = to_.try_emplace(targets, bytes_.size());
    if (!is_new) return known->second;
    Fronts& fronts = known->second;
    for (const int target : targets)
      for (const Step& step : steps_)
        if (step.move->to == target) add(at(fronts, step.move->from), step.last_cost);
    relax([&](const Step& step) {
      bool better = false;
      for (const Cost& cost : at(fronts, step.move->to)) better |= add(at(fronts, step.move->from), step.cost + cost);
      return better;
    });
    return fronts;
  }

  /// The one move of `kind`, with the bytes of both sides.
  Front single(MoveKind kind, const Sharding& before, const Sharding& after) const {
    Front front;
    for (const Step& step : steps_)
      if (step.move->kind == kind && step.move->from == all_.number(before) && step.move->to == all_.number(after))
        add(front, Cost{0, 0, bytes(before)} + step.last_cost);
    return front;
  }

 private:
  struct Step {
    const PossibleMove* move;
    Cost cost, last_cost;
  };

  static Front& at(Fronts& fronts, int number) { return fronts[static_cast<std::size_t>(number)]; }

  template <class F>
  void relax(F&& improve) const {
    for (bool better = true; better;) {
      better = false;
      for (const Step& step : steps_) better |= improve(step);
    }
  }

  ArrayType type(const Sharding& sharding) const {
    ArrayType type = array_;
    type.sharding = sharding;
    const auto is_kept = [&](int axis) {
      return std::count(travelling_.kept.begin(), travelling_.kept.end(), axis) > 0;
    };
    if (!std::all_of(sharding.unreduced.begin(), sharding.unreduced.end(), is_kept)) type.dtype = travelling_.partial;
    return type;
  }

  double scratch(const PossibleMove& move, const std::vector<Dim>& dims) const {
    if (move.kind != MoveKind::kReduceScatter && move.kind != MoveKind::kAllReduce) return 0;
    const ArrayType before = type(all_.shardings()[static_cast<std::size_t>(move.from)]);
    const ArrayType after = type(all_.shardings()[static_cast<std::size_t>(move.to)]);
    const Shape local = max_local_shape(after, mesh_);
    std::vector<std::int64_t> shape;
    for (const Dim& dim : dims)
      for (std::size_t d = 0; d < array_.dims.size(); ++d)
        if (array_.dims[d].index == dim.index) shape.push_back(local[d]);
    const auto terms = static_cast<double>(mesh_.size(move.axes));
    return Prices::scratch_bytes(move.kind, terms, before.dtype, after.dtype, shape);
  }

  ArrayType array_;
  Travelling travelling_;
  Mesh mesh_;
  const PossibleMoves& all_;
  std::vector<double> bytes_;
  std::vector<Step> steps_;
  mutable std::map<std::vector<int>, Fronts> from_, to_;
};

}  // namespace meshmul::testing
