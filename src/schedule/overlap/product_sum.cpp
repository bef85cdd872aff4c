#include "product_sum.hpp"

#include <algorithm>
#include <utility>

#include "notation/dim_of.hpp"

namespace meshmul {
namespace {

// `box` of an array of `type`, restricted along every index that `other` has too.
Box restricted(const ArrayType& type, Box box, const ArrayType& other, const Box& other_box) {
  for (int d = 0; d < type.num_dims(); ++d)
    if (const int e = dim_of(other, type.dims[static_cast<std::size_t>(d)].index); e != kNoDim)
      box[d] = intersect(box[d], other_box[e]);
  return box;
}

// The boxes of A, B and C that pieces of A and B with these parts multiply, within `c`.
struct Boxes {
  Box a, b, c;
  bool empty() const { return a.empty() || b.empty() || c.empty(); }
};

Boxes common(const PiecewiseProduct& product, const Box& a, const Box& b, const Box& c) {
  Boxes boxes;
  boxes.c = restricted(product.c, restricted(product.c, c, product.a, a), product.b, b);
  boxes.a = restricted(product.a, restricted(product.a, a, product.b, b), product.c, boxes.c);
  boxes.b = restricted(product.b, restricted(product.b, b, product.a, a), product.c, boxes.c);
  return boxes;
}

// True if some rank has two pieces of `type` that differ along a contracted index.
bool contraction_is_cut(const ArrayType& type, const ArrayType& other, const ArrayType& c, const Pieces& pieces) {
  for (int d = 0; d < type.num_dims(); ++d) {
    const std::string& index = type.dims[static_cast<std::size_t>(d)].index;
    if (has_index(c, index) || !has_index(other, index)) continue;
    for (const std::vector<Piece>& of_rank : pieces)
      for (const Piece& piece : of_rank)
        if (piece.part[d] != of_rank.front().part[d]) return true;
  }
  return false;
}

}  // namespace

ProductSum::ProductSum(const PiecewiseProduct& product, int rank, Piece sum, bool accumulate)
    : product_(product), rank_(rank), sum_(std::move(sum)) {
  if (!accumulate && !sum_.part.empty()) unwritten_.push_back(sum_.part);
}

void ProductSum::add(ScheduleBuilder& builder, const Piece& a, const Piece& b) {
  const Boxes boxes = common(product_, a.part, b.part, sum_.part);
  if (boxes.empty()) return;
  std::vector<Box> written = {boxes.c};
  for (const Box& box : unwritten_) {
    const Box fresh = intersect(box, boxes.c);
    if (fresh.empty()) continue;
    multiply(builder, fresh, a, b, false);
    written = without(written, fresh);
  }
  for (const Box& box : written) multiply(builder, box, a, b, true);
  unwritten_ = without(unwritten_, boxes.c);
}

void ProductSum::add_all(ScheduleBuilder& builder) {
  for (const Piece& a : product_.a_pieces[static_cast<std::size_t>(rank_)])
    for (const Piece& b : product_.b_pieces[static_cast<std::size_t>(rank_)]) add(builder, a, b);
}

void ProductSum::finish(ScheduleBuilder& builder) {
  for (const Box& box : unwritten_)
    builder.append(rank_, kComputeLane, Map{part_of(sum_, box).where, MapFunction::kZero, {}, std::nullopt});
  unwritten_.clear();
}

void ProductSum::multiply(ScheduleBuilder& builder, const Box& c, const Piece& a, const Piece& b,
                          bool accumulate) const {
  const Boxes boxes = common(product_, a.part, b.part, c);
  builder.append(rank_, kComputeLane,
                 Gemm{part_of(sum_, boxes.c).where, part_of(a, boxes.a).where, part_of(b, boxes.b).where,
                      product_.einsum, accumulate, std::nullopt});
}

bool is_added_in_parts(const PiecewiseProduct& product) {
  return contraction_is_cut(product.a, product.b, product.c, product.a_pieces) ||
         contraction_is_cut(product.b, product.a, product.c, product.b_pieces);
}

}  // namespace meshmul
