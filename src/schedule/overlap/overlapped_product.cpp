#include "overlapped_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "../local_product.hpp"
#include "gather.hpp"
#include "meshmul/error.hpp"
#include "product_sum.hpp"
#include "push.hpp"
#include "reduce.hpp"

namespace meshmul {
namespace {

// Brings an operand to the ranks by all designs but push, which has no memory for all of it. Only what is gathered or
// exchanged goes round a ring.
Pieces gathered(ScheduleBuilder& builder, const Multiplicand& operand, const OverlapOptions& options) {
  if (!operand.move) return whole_shards(operand.from);
  if (options.gather == Design::kInPlace) return multiply_in_place(builder, operand.from, operand.to);
  const PlacedArray to = place(builder, operand.name, operand.to);
  const bool has_ring = operand.move == MoveKind::kAllGather || operand.move == MoveKind::kAllToAll;
  if (options.gather == Design::kRing && has_ring)
    return pass_round(builder, *operand.move, operand.from, to, Ways::kOne);
  if (options.gather == Design::kRingBothWays && has_ring)
    return pass_round(builder, *operand.move, operand.from, to, Ways::kBoth);
  return pull(builder, operand.from, to, options);
}

// The product of all ranks where it is to lie, or beside it if it would be rounded more than once.
class ProductSums {
 public:
  ProductSums(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& c)
      : builder_(builder), c_(c), place_(c) {
    ArrayType type = c.type;
    type.dtype = accumulator_of(product.a.dtype);
    if (is_added_in_parts(product) && c.type.dtype != type.dtype)
      place_ = place_boxes(builder, builder.buffer(c.buffer).name + ".sum", type, c.global);
    for (int rank = 0; rank < builder.num_ranks(); ++rank)
      sums_.emplace_back(product, rank, Piece{c.held(rank), place_.region(rank)}, false);
  }

  ProductSum& at(int rank) { return sums_[static_cast<std::size_t>(rank)]; }

  void finish() {
    for (int rank = 0; rank < builder_.num_ranks(); ++rank) {
      at(rank).finish(builder_);
      if (place_.buffer != c_.buffer) builder_.copy(c_.region(rank), place_.region(rank));
    }
  }

 private:
  ScheduleBuilder& builder_;
  const PlacedArray& c_;
  PlacedArray place_;
  std::vector<ProductSum> sums_;
};

void product_in_pieces(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& c) {
  ProductSums sums(builder, product, c);
  for (int rank = 0; rank < builder.num_ranks(); ++rank) sums.at(rank).add_all(builder);
  sums.finish();
}

std::int64_t longest_shard(const PlacedArray& array, int dim) {
  std::int64_t longest = 1;
  for (const Box& box : array.global)
    if (!box.empty()) longest = std::max(longest, box[dim].size());
  return longest;
}

// The operand that is pushed, and the other one, whichever of A and B they are.
void product_in_rounds(ScheduleBuilder& builder, PiecewiseProduct product, const Multiplicand& pushed, bool pushes_a,
                       const PlacedArray& c, const OverlapOptions& options) {
  const int dim = moving_dim(pushed.from.type, pushed.to);
  const std::int64_t rows = options.rows_per_round.value_or((longest_shard(pushed.from, dim) + 3) / 4);
  const PushedOperand operand(builder, pushed.name, pushed.from, pushed.to, rows, options.slots);
  (pushes_a ? product.a_pieces : product.b_pieces) = operand.all();
  const Pieces& others = pushes_a ? product.b_pieces : product.a_pieces;

  ProductSums sums(builder, product, c);
  const auto multiply = [&](const Pieces& pieces) {
    for (std::size_t rank = 0; rank < pieces.size(); ++rank)
      for (const Piece& piece : pieces[rank])
        for (const Piece& other : others[rank])
          sums.at(static_cast<int>(rank)).add(builder, pushes_a ? piece : other, pushes_a ? other : piece);
  };
  multiply(operand.own());
  for (int round = 0; round < operand.num_rounds(); ++round) {
    operand.put(builder, round);
    multiply(operand.landing(round));
  }
  sums.finish();
}

std::int64_t bytes_of(const PlacedArray& array) {
  std::int64_t bytes = 0;
  for (const Box& box : array.global) bytes += box.num_elements() * size_bytes(array.type.dtype);
  return bytes;
}

void reduced_product(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& c,
                     const OverlapOptions& options) {
  switch (options.reduce) {
    case Design::kInPlace: return reduce_in_place(builder, product, c, options);
    case Design::kPush: return reduce_pushed(builder, product, c, options);
    case Design::kRing: return reduce_round(builder, product, c, Ways::kOne);
    case Design::kRingBothWays: return reduce_round(builder, product, c, Ways::kBoth);
    case Design::kSequential:
    case Design::kPull: return reduce_pulled(builder, product, c);
  }
}

}  // namespace

void overlapped_product(ScheduleBuilder& builder, const Multiplicand& a, const Multiplicand& b,
                        const LocalProduct& product, const PlacedArray& c, const OverlapOptions& options) {
  PiecewiseProduct piecewise{product.a, product.b, product.c, {}, {}, einsum_of(product.a, product.b, product.c)};
  const bool pushes = options.gather == Design::kPush && (a.move || b.move);
  const bool pushes_a = pushes && a.move && (!b.move || bytes_of(a.from) >= bytes_of(b.from));
  if (!pushes || !pushes_a) piecewise.a_pieces = gathered(builder, a, options);
  if (!pushes || pushes_a) piecewise.b_pieces = gathered(builder, b, options);
  const bool reduces = c.type.sharding.unreduced != product.c.sharding.unreduced;
  if (pushes)
    product_in_rounds(builder, std::move(piecewise), pushes_a ? a : b, pushes_a, c, options);
  else if (reduces)
    reduced_product(builder, piecewise, c, options);
  else
    product_in_pieces(builder, piecewise, c);
}

void check_overlap(const OverlapOptions& options) {
  const auto at_least = [](std::string_view what, std::int64_t value, std::int64_t least) {
    if (value < least)
      throw Error(ErrorCode::kInvalidArgument, fmt::format("{} is {}; it must be at least {}", what, value, least));
  };
  at_least("the number of chunks per shard", options.chunks_per_shard, 1);
  at_least("the number of rows per round", options.rows_per_round.value_or(1), 1);
  at_least("the number of slots", options.slots, 2);
  at_least("the size of a copy in bytes", options.copy_bytes.value_or(1), 1);
  at_least("the number of copy lanes", options.copy_lanes, 1);
}

}  // namespace meshmul
