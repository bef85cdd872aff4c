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
  return piece.placement.tensor >= 0 &&
         terms_.num_terms(piece.terms) == tensor(piece.placement.tensor).terms.num_elements();
}

std::string SymbolicState::text(const Piece& piece) const {
  if (piece.placement.tensor == kZeros) return "zeros";
  if (tensor(piece.placement.tensor).terms.num_dims() == 0) return elements_text(piece);
  return fmt::format("{} with {}", elements_text(piece), terms_text(piece.placement.tensor, terms_.boxes(piece.terms)));
}

std::string SymbolicState::complete_text(const Placement& placement, const Box& box) const {
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
    for (int d = 0; d < box.num_dims(); ++d)
      text +=
          fmt::format("{}{} {}:{}", d == 0 ? "" : ", ", names[static_cast<std::size_t>(d)], box[d].begin, box[d].end);
  }
  return text;
}

}  // namespace meshmul::verification
