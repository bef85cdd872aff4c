#include "values.hpp"

#include <algorithm>
#include <utility>

namespace meshmul::verification {
namespace {

bool same_content(const Piece& a, const Piece& b) { return a.terms == b.terms && a.placement == b.placement; }

}  // namespace

std::optional<Piece> sum(const Piece& a, const Piece& b, TermSets& terms) {
  if (a.placement.tensor == kFaulty || b.placement.tensor == kZeros) return a;
  if (b.placement.tensor == kFaulty || a.placement.tensor == kZeros) return b;
  if (a.placement != b.placement) return std::nullopt;
  const std::optional<int> both = terms.add(a.terms, b.terms);
  if (!both) return std::nullopt;
  return Piece{a.box, a.placement, *both};
}

Box tensor_box(const Piece& piece) {
  Box box = piece.box;
  for (int d = 0; d < piece.box.num_dims(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const std::int64_t offset = piece.placement.offsets[i];
    box[piece.placement.dims[i]] = {piece.box[d].begin + offset, piece.box[d].end + offset};
  }
  return box;
}

Piece moved(const Piece& piece, const Box& src, const Box& dst, std::span<const int> permutation) {
  Piece result = piece;
  const bool has_elements = piece.placement.tensor >= 0;
  for (int d = 0; d < dst.num_dims(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const int from = permutation.empty() ? d : permutation[i];
    const std::int64_t shift = dst[d].begin - src[from].begin;
    result.box[d] = {piece.box[from].begin + shift, piece.box[from].end + shift};
    if (!has_elements) continue;
    result.placement.dims[i] = piece.placement.dims[static_cast<std::size_t>(from)];
    result.placement.offsets[i] = piece.placement.offsets[static_cast<std::size_t>(from)] - shift;
  }
  return result;
}

Value Value::within(const Box& box) const {
  Value part;
  for (const Piece& piece : pieces_) {
    const Box common = intersect(piece.box, box);
    if (!common.empty()) part.pieces_.push_back({common, piece.placement, piece.terms});
  }
  return part;
}

std::optional<Box> Value::undefined_part(const Box& box) const {
  std::int64_t defined = 0;
  for (const Piece& piece : pieces_) defined += intersect(piece.box, box).num_elements();
  if (defined == box.num_elements()) return std::nullopt;
  std::vector<Box> rest{box};
  for (const Piece& piece : pieces_) {
    std::vector<Box> left;
    for (const Box& part : rest)
      for (const Box& smaller : subtract(part, piece.box)) left.push_back(smaller);
    rest = std::move(left);
  }
  return rest.front();
}

Piece Value::take(std::size_t index) {
  const Piece piece = pieces_[index];
  pieces_[index] = pieces_.back();
  pieces_.pop_back();
  return piece;
}

void Value::cut_out(const Box& box) {
  for (std::size_t i = 0; i < pieces_.size();) {
    if (overlap(pieces_[i].box, box))
      keep_rest(take(i), box);
    else
      ++i;
  }
}

void Value::keep_rest(const Piece& piece, const Box& box) {
  for (const Box& rest : subtract(piece.box, box)) pieces_.push_back({rest, piece.placement, piece.terms});
}

void Value::insert(Piece piece) {
  for (std::size_t i = 0; i < pieces_.size();) {
    const std::optional<Box> joined = same_content(pieces_[i], piece) ? join(pieces_[i].box, piece.box) : std::nullopt;
    if (joined) {
      take(i);
      piece.box = *joined;
      i = 0;  // the larger box may join one that was passed before
    } else {
      ++i;
    }
  }
  pieces_.push_back(piece);
}

void Value::assign(const Box& box, const Value& value) {
  cut_out(box);
  for (const Piece& piece : value.pieces_) insert(piece);
}

void Value::assign(const Piece& piece) {
  cut_out(piece.box);
  if (!piece.box.empty()) insert(piece);
}

std::optional<Value::Clash> Value::add(const Piece& piece, const Sum& add_up) {
  std::vector<Piece> sums;
  for (std::size_t i = 0; i < pieces_.size();) {
    const Box common = intersect(pieces_[i].box, piece.box);
    if (common.empty()) {
      ++i;
      continue;
    }
    const Piece before = take(i);
    const Piece here{common, before.placement, before.terms};
    const Piece added{common, piece.placement, piece.terms};
    const std::optional<Piece> both = add_up(here, added);
    if (!both) return Clash{here, added};
    keep_rest(before, common);
    sums.push_back(*both);
  }
  for (const Piece& both : sums) insert(both);
  return std::nullopt;
}

}  // namespace meshmul::verification
