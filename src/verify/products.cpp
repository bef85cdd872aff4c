#include "products.hpp"

#include <algorithm>

#include "base/einsum.hpp"

namespace meshmul::verification {
namespace {

bool same_order(const Placement& x, const Placement& y) { return x.tensor == y.tensor && x.dims == y.dims; }

Interval shifted(Interval interval, std::int64_t offset) { return {interval.begin + offset, interval.end + offset}; }

}  // namespace

const std::vector<Products::Letter>& Products::letters_of(const std::string& text) {
  const auto [entry, is_new] = letters_.try_emplace(text);
  std::vector<Letter>& letters = entry->second;
  if (!is_new) return letters;
  const Einsum einsum = parse_einsum(text);
  const auto find = [](const std::string& operand, char letter) {
    const std::size_t position = operand.find(letter);
    return position == std::string::npos ? -1 : static_cast<int>(position);
  };
  for (const char letter : einsum.a)
    letters.push_back({find(einsum.a, letter), find(einsum.b, letter), find(einsum.c, letter)});
  for (const char letter : einsum.b)
    if (find(einsum.a, letter) < 0) letters.push_back({-1, find(einsum.b, letter), find(einsum.c, letter)});
  return letters;
}

// Every letter must stand for one index of the statement, and no two for the same; what the statement sums over is exactly
// what the einsum sums over. Where an operand holds ones, its letters are known by the other operand alone.
bool Products::fits(const std::vector<Letter>& letters, const ProductRule& rule, Match& match) const {
  const auto [a, b] = match.swapped ? std::pair(rule.b, rule.a) : std::pair(rule.a, rule.b);
  if (match.a.tensor != a || match.b.tensor != b) return false;
  const std::vector<int>& a_index = match.swapped ? rule.b_index : rule.a_index;
  const std::vector<int>& b_index = match.swapped ? rule.a_index : rule.b_index;
  std::vector<int> used;
  match.contracted.assign(rule.contracted.size(), 0);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const Letter& letter = letters[i];
    const auto index_in = [](const std::vector<int>& indices, const Placement& placement, int dim) {
      return indices[static_cast<std::size_t>(placement.dims[static_cast<std::size_t>(dim)])];
    };
    const bool known_by_a = letter.a >= 0 && match.a.tensor != kOnes;
    const bool known_by_b = letter.b >= 0 && match.b.tensor != kOnes;
    if (!known_by_a && !known_by_b) return false;
    const int index = known_by_a ? index_in(a_index, match.a, letter.a) : index_in(b_index, match.b, letter.b);
    if (known_by_a && known_by_b && index_in(b_index, match.b, letter.b) != index) return false;
    const auto has = [index](const std::vector<int>& indices) {
      return std::find(indices.begin(), indices.end(), index) != indices.end();
    };
    if ((letter.a >= 0) != has(a_index) || (letter.b >= 0) != has(b_index)) return false;
    if (std::find(used.begin(), used.end(), index) != used.end()) return false;
    used.push_back(index);
    const std::vector<int>& kind = letter.c >= 0 ? rule.c_index : rule.contracted;
    const auto position = std::find(kind.begin(), kind.end(), index);
    if (position == kind.end()) return false;
    if (letter.c >= 0)
      match.c_dims[static_cast<std::size_t>(letter.c)] = static_cast<std::int8_t>(position - kind.begin());
    else
      match.contracted[static_cast<std::size_t>(position - kind.begin())] = i;
  }
  match.c_tensor = rule.c;
  match.counts_terms = rule.counts_terms;
  return true;
}

const Products::Match& Products::match(const Gemm& op, const Placement& a, const Placement& b) {
  for (const Match& known : matches_)
    if (same_order(known.a, a) && same_order(known.b, b) && known.einsum == op.einsum) return known;
  Match& found = matches_.emplace_back();
  found.einsum = op.einsum;
  found.a = a;
  found.b = b;
  const std::vector<Letter>& letters = letters_of(op.einsum);
  for (const ProductRule& rule : state_.contract().products)
    for (const bool swapped : {false, true}) {
      if (found.exists) continue;
      found.swapped = swapped;
      found.exists = fits(letters, rule, found);
    }
  return found;
}

int Products::terms_of(const Match& match, const std::vector<Interval>& contracted, int a, int b) {
  if (!match.counts_terms) return state_.terms().intern({Box(std::span<const Interval>(contracted))});
  const auto& [first, second] = match.swapped ? std::pair(b, a) : std::pair(a, b);
  std::vector<Box> products;
  for (const Box& of_first : state_.terms().boxes(first))
    for (const Box& of_second : state_.terms().boxes(second)) {
      Box terms{std::span<const Interval>(contracted)};
      for (const Interval& interval : of_first) terms.push_back(interval);
      for (const Interval& interval : of_second) terms.push_back(interval);
      products.push_back(terms);
    }
  return state_.terms().intern(std::move(products));
}

Contribution Products::multiply(const Gemm& op, const Piece& a, const Piece& b) {
  const std::vector<Letter>& letters = letters_of(op.einsum);
  // 1. Where the two meet, index by index, in coordinates of the op.
  std::array<Interval, 2 * kMaxDims> meeting{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto [in_a, in_b, in_c] = letters[i];
    if (in_a >= 0) meeting[i] = shifted(a.box[in_a], -op.a.box[in_a].begin);
    if (in_b >= 0) {
      const Interval of_b = shifted(b.box[in_b], -op.b.box[in_b].begin);
      meeting[i] = in_a >= 0 ? intersect(meeting[i], of_b) : of_b;
    }
    if (meeting[i].empty()) return std::monostate();
  }
  const Match& product = match(op, a.placement, b.placement);
  if (!product.exists) return NoSuchProduct();
  if (!product.counts_terms)
    for (const Piece* piece : {&a, &b})
      if (!state_.is_complete(*piece)) return IncompleteFactor{state_.tensor(piece->placement.tensor).name};
  // 2. In global coordinates, in which the two must agree.
  Piece result{op.c.box, {}, TermSets::kNone};
  result.placement.tensor = product.c_tensor;
  result.placement.dims = product.c_dims;
  std::array<Interval, 2 * kMaxDims> global{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto [in_a, in_b, in_c] = letters[i];
    const auto global_of = [&](const Region& operand, const Piece& piece, int dim) {
      return shifted(meeting[i], operand.box[dim].begin + piece.placement.offsets[static_cast<std::size_t>(dim)]);
    };
    const bool known_by_a = in_a >= 0 && a.placement.tensor != kOnes;
    const bool known_by_b = in_b >= 0 && b.placement.tensor != kOnes;
    global[i] = known_by_a ? global_of(op.a, a, in_a) : global_of(op.b, b, in_b);
    if (known_by_a && known_by_b && global_of(op.b, b, in_b) != global[i])
      return MismatchedIndex{std::string(1, op.einsum[static_cast<std::size_t>(in_a)]), global[i],
                             global_of(op.b, b, in_b)};
    if (in_c < 0) continue;
    result.box[in_c] = shifted(meeting[i], op.c.box[in_c].begin);
    result.placement.offsets[static_cast<std::size_t>(in_c)] = global[i].begin - result.box[in_c].begin;
  }
  // 3. The terms: what is summed over here, and the terms of the factors.
  std::vector<Interval> contracted;
  for (const std::size_t letter : product.contracted) contracted.push_back(global[letter]);
  result.terms = terms_of(product, contracted, a.terms, b.terms);
  return result;
}

}  // namespace meshmul::verification
