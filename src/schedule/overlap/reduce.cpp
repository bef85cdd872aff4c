// Four ranks, what each multiplies in each step (b3 is rank 3's term of rank 1's block):
//
//     rank   step 0   step 1   step 2   step 3
//      0      b0       c0       d0       a0
//      1      c1       d1       a1       b1
//      2      d2       a2       b2       c2
//      3      a3       b3       c3       d3

#include "reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "../collectives/collectives.hpp"
#include "../collectives/cut.hpp"
#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

// Who computes which block when, and who adds it up.
class Turns {
 public:
  Turns(const Mesh& mesh, const PiecewiseProduct& product, const PlacedArray& to)
      : mesh_(mesh), groups_(reduction_groups(product.c, to.type)), shares_(shares_of_work(mesh, to, groups_)) {}

  const ReductionGroups& groups() const { return groups_; }
  const std::vector<Box>& shares() const { return shares_; }
  const Box& share(int rank) const { return shares_[static_cast<std::size_t>(rank)]; }
  int num_steps() const { return static_cast<int>(mesh_.size(groups_.summed)); }
  std::vector<int> members(int rank) const { return mesh_.group(rank, groups_.summed); }
  int num_ranks() const { return mesh_.num_devices(); }
  /// The number of the block that is the turn of `rank` in `step`: of its own in the last one.
  int block(int rank, int step) const { return (position(rank) + 1 + step) % num_steps(); }
  /// The owner of the block that is the turn of `rank` in `step`; itself in the last one.
  int owner(int rank, int step) const { return members(rank)[static_cast<std::size_t>(block(rank, step))]; }
  /// The step in which the block of `owner` is the turn of `rank`.
  int step(int rank, int owner) const { return (position(owner) - position(rank) - 1 + num_steps()) % num_steps(); }

 private:
  int position(int rank) const { return mesh_.group_index(rank, groups_.summed); }

  const Mesh& mesh_;
  ReductionGroups groups_;
  std::vector<Box> shares_;
};

// Where sums are built that are rounded into `to` at the end: `to` itself if it has their dtype.
PlacedArray place_sums(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to,
                       const std::vector<Box>& shares) {
  ArrayType type = to.type;
  type.dtype = accumulator_of(product.a.dtype);
  if (to.type.dtype == type.dtype) return to;
  return place_boxes(builder, builder.buffer(to.buffer).name + ".sum", type, shares);
}

// Terms travel in the dtype of C; if they are added up in parts, in that of the sums.
ArrayType type_of_terms(const PiecewiseProduct& product) {
  ArrayType type = product.c;
  if (is_added_in_parts(product)) type.dtype = accumulator_of(product.a.dtype);
  return type;
}

// Rounds the finished sums, and spreads them to the ranks that want the same block.
void spread(ScheduleBuilder& builder, const PlacedArray& sums, const PlacedArray& to, const Turns& turns) {
  if (sums.buffer != to.buffer)
    for (int rank = 0; rank < builder.num_ranks(); ++rank)
      builder.copy(to.region(rank, turns.share(rank)), sums.region(rank, turns.share(rank)));
  get_shares(builder, to, turns.shares(), turns.groups());
}

std::vector<Box> chunks_of(const Box& share, const OverlapOptions& options) {
  if (share.num_dims() == 0 || options.chunks_per_shard == 1) return {share};
  return cut_along(share, 0, options.chunks_per_shard);
}

// Whether the blocks of each group are one matrix in memory where shards lie one after another, and the dimension along
// which turns are then to be taken: one that is longer than all blocks are high.
std::optional<int> dim_of_turns(const ScheduleBuilder& builder, const PlacedArray& sums, const Turns& turns) {
  const Shape& shape = builder.buffer(sums.buffer).shape;
  if (shape.size() < 2) return std::nullopt;
  const auto longest = std::max_element(shape.begin() + 1, shape.end());
  if (*longest <= shape.front() * turns.num_steps()) return std::nullopt;
  for (int rank = 0; rank < turns.num_ranks(); ++rank) {
    const std::vector<int> members = turns.members(rank);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Box block = sums.region(members[i], turns.share(members[i])).box;
      if (members[i] != members.front() + static_cast<int>(i) || block[0].begin != 0) return std::nullopt;
      if (i + 1 < members.size() && block[0].end != shape.front()) return std::nullopt;
    }
  }
  return static_cast<int>(longest - shape.begin());
}

Box part_along(Box box, int dim, int num_parts, int index) {
  box[dim] = cut(box[dim], num_parts, index);
  return box;
}

void add_term(ScheduleBuilder& builder, const PiecewiseProduct& product, int rank, Piece sum, bool accumulate) {
  ProductSum term(product, rank, std::move(sum), accumulate);
  term.add_all(builder);
  term.finish(builder);
}

}  // namespace

void reduce_in_place(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to,
                     const OverlapOptions& options) {
  const Turns turns(builder.mesh(), product, to);
  const PlacedArray sums = place_sums(builder, product, to, turns.shares());
  const std::optional<int> dim = dim_of_turns(builder, sums, turns);
  const auto add_terms = [&](int rank, int owner, const Box& box, bool accumulate) {
    for (const Box& chunk : chunks_of(box, options))
      add_term(builder, product, rank, {chunk, sums.region(owner, chunk)}, accumulate);
  };
  for (int step = 0; step < turns.num_steps(); ++step)
    for (int rank = 0; rank < builder.num_ranks(); ++rank) {
      if (dim)
        builder.together([&] {
          for (const int owner : turns.members(rank))
            add_terms(rank, owner, part_along(turns.share(owner), *dim, turns.num_steps(), turns.block(rank, step)),
                      step > 0);
        });
      else
        add_terms(rank, turns.owner(rank, step), turns.share(turns.owner(rank, step)), step > 0);
    }
  spread(builder, sums, to, turns);
}

void reduce_pushed(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to,
                   const OverlapOptions& options) {
  const Turns turns(builder.mesh(), product, to);
  const PlacedArray sums = place_sums(builder, product, to, turns.shares());
  const ArrayType type = type_of_terms(product);
  const std::string name = builder.buffer(to.buffer).name;
  std::vector<PlacedArray> terms;  // by step: the terms that come from other ranks
  for (int step = 0; step + 1 < turns.num_steps(); ++step)
    terms.push_back(place_boxes(builder, fmt::format("{}.term{}", name, step), type, turns.shares()));

  for (int step = 0; step + 1 < turns.num_steps(); ++step)
    for (int rank = 0; rank < builder.num_ranks(); ++rank) {
      const int owner = turns.owner(rank, step);
      for (const Box& chunk : chunks_of(turns.share(owner), options))
        add_term(builder, product, rank, {chunk, terms[static_cast<std::size_t>(step)].region(owner, chunk)}, false);
    }
  for (int owner = 0; owner < builder.num_ranks(); ++owner) {
    const std::vector<int> members = turns.members(owner);
    for (const Box& chunk : chunks_of(turns.share(owner), options))
      for (std::size_t i = 0; i < members.size(); ++i) {
        const Region sum = sums.region(owner, chunk);
        if (members[i] == owner) {
          add_term(builder, product, owner, {chunk, sum}, i > 0);
          continue;
        }
        const Region term = terms[static_cast<std::size_t>(turns.step(members[i], owner))].region(owner, chunk);
        i == 0 ? builder.copy(sum, term) : builder.reduce(sum, term);
      }
  }
  spread(builder, sums, to, turns);
}

void reduce_pulled(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to) {
  const Turns turns(builder.mesh(), product, to);
  const ArrayType type = type_of_terms(product);
  const PlacedArray terms = place(builder, builder.buffer(to.buffer).name + ".product", type);
  for (int step = 0; step < turns.num_steps(); ++step)
    for (int rank = 0; rank < builder.num_ranks(); ++rank) {
      const Box& share = turns.share(turns.owner(rank, step));
      add_term(builder, product, rank, {share, terms.region(rank, share)}, false);
    }
  direct_reduce(builder, terms, to);
}

void reduce_round(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to, Ways ways) {
  if (to.type.num_dims() == 0) return reduce_pulled(builder, product, to);
  const PlacedArray terms = place(builder, builder.buffer(to.buffer).name + ".product", type_of_terms(product));
  std::vector<std::vector<Box>> made(terms.global.size());
  ring_reduce(builder, terms, to, ways, [&](int rank, const Box& part) {
    std::vector<Box>& known = made[static_cast<std::size_t>(rank)];
    std::vector<Box> missing = {part};
    for (const Box& box : known) missing = without(missing, box);
    for (const Box& box : missing) add_term(builder, product, rank, {box, terms.region(rank, box)}, false);
    known.insert(known.end(), missing.begin(), missing.end());
  });
}

}  // namespace meshmul
