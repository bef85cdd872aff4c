#include "symbolic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace meshmul::verification {

Placement placement_of(const NamedArray& array, const Box& global, const Box& held) {
  Placement placement;
  placement.tensor = array.tensor;
  for (int d = 0; d < held.num_dims(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    placement.dims[i] = static_cast<std::int8_t>(array.dims[i]);
    placement.offsets[i] = global[d].begin - held[d].begin;
  }
  return placement;
}

SymbolicState::SymbolicState(const Schedule& schedule)
    : schedule_(schedule), values_(schedule.ranks.size() * schedule.buffers.size()) {
  std::vector<Finding> findings;
  contract_ = resolve_contract(schedule.contract, findings);
  assert(findings.empty());
  for (const Holding& holding : schedule.contract.inputs) {
    const NamedArray& array = contract_.inputs.at(holding.array);
    const Box terms = terms_of_input(*array.type, schedule.contract.mesh, holding.region.rank);
    value(holding.region)
        .assign({holding.region.box, placement_of(array, holding.global, holding.region.box), terms_.intern({terms})});
  }
}

bool SymbolicState::is_complete(const Piece& piece) const {
  if (piece.placement.tensor == kOnes) return true;
  return piece.placement.tensor >= 0 && terms_.num_terms(piece.terms) == contract_.num_terms(piece.placement.tensor);
}

std::optional<Piece> SymbolicState::add(const Piece& a, const Piece& b) {
  if (auto plain = sum(a, b, terms_)) return plain;
  const Placement& of_a = a.placement;
  const Placement& of_b = b.placement;
  if (of_a.tensor < 0 || of_b.tensor < 0 || of_a.tensor == of_b.tensor) return std::nullopt;
  if (of_a.dims != of_b.dims || of_a.offsets != of_b.offsets) return std::nullopt;
  const std::optional<int> tensor = contract_.sum_of(of_a.tensor, of_b.tensor);
  if (!tensor) return std::nullopt;
  const std::optional<int> both = terms_.add(lifted_terms(a), lifted_terms(b));
  if (!both) return std::nullopt;
  Piece added{a.box, of_a, *both};
  added.placement.tensor = *tensor;
  return added;
}

int SymbolicState::lifted_terms(const Piece& piece) {
  if (!tensor(piece.placement.tensor).summands.empty()) return piece.terms;
  std::vector<Box> boxes;
  for (const Box& box : terms_.boxes(piece.terms)) boxes.push_back(lifted(piece.placement.tensor, box));
  return terms_.intern(std::move(boxes));
}

std::string SymbolicState::text(const Piece& piece) const {
  if (piece.placement.tensor == kZeros) return "zeros";
  if (piece.placement.tensor == kOnes) return "ones";
  const Tensor& held = tensor(piece.placement.tensor);
  if (held.terms.num_dims() == 0 && held.summands.empty()) return elements_text(piece);
  return fmt::format("{} with {}", elements_text(piece), terms_text(piece.placement.tensor, terms_.boxes(piece.terms)));
}

std::string SymbolicState::complete_text(const Placement& placement, const Box& box) const {
  if (placement.tensor < 0) return text({box, placement, TermSets::kNone});
  const std::string elements = elements_text({box, placement, TermSets::kNone});
  const Box& all = tensor(placement.tensor).terms;
  if (all.num_dims() == 0) return elements;
  return fmt::format("{} with {}", elements, terms_text(placement.tensor, {all}));
}

std::string SymbolicState::elements_text(const Piece& piece) const {
  const auto first = piece.placement.dims.begin();
  const auto last = first + piece.box.num_dims();
  const std::string elements = tensor(piece.placement.tensor).name + tensor_box(piece).str();
  return std::is_sorted(first, last) ? elements : fmt::format("{} permuted {}", elements, fmt::join(first, last, " "));
}

std::string SymbolicState::terms_text(int number, const std::vector<Box>& terms) const {
  if (terms.empty()) return "no term";
  const std::vector<std::string>& names = tensor(number).term_names;
  std::string text;
  for (const Box& box : terms) {
    if (!text.empty()) text += " and ";
    if (!tensor(number).summands.empty()) {
      text += "terms of " + tensor(static_cast<int>(box[0].begin)).name;
      continue;
    }
    for (int d = 0; d < box.num_dims(); ++d)
      text +=
          fmt::format("{}{} {}:{}", d == 0 ? "" : ", ", names[static_cast<std::size_t>(d)], box[d].begin, box[d].end);
  }
  return text;
}

}  // namespace meshmul::verification
