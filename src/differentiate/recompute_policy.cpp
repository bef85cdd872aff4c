#include "differentiate/recompute_policy.hpp"

#include <algorithm>

namespace meshmul {

bool needs_preactivation(MapFunction function) {
  return gradient_of(function).has_value() && function != MapFunction::kRelu;
}

RecomputePolicy::RecomputePolicy(const Program& program, Recompute recompute)
    : recompute_(recompute), fates_(program.values.size()) {
  std::vector<ProgramStatement> outside;
  for (const ProgramItem& item : program.items) {
    if (const auto* repeat = std::get_if<Repeat>(&item))
      look_at(repeat->body);
    else
      outside.push_back(std::get<ProgramStatement>(item));
  }
  look_at(outside);
}

/// To one loop, or to what stands outside of all, arrays of all others are at hand.
void RecomputePolicy::look_at(const std::vector<ProgramStatement>& statements) {
  std::vector<bool> seen(fates_.size());
  const auto at = [](ValueId value) { return static_cast<std::size_t>(value); };
  for (const ProgramStatement& statement : statements) {
    int num_products = 0;
    for (const Use& use : uses(statement))
      if (seen[at(use.value)]) num_products = std::max(num_products, fates_[at(use.value)].num_products);
    for (const ValueId result : results(statement)) seen[at(result)] = true;
    if (const auto* product = std::get_if<ProductStatement>(&statement))
      fates_[at(product->result)] = fate_of(*product, num_products);
    if (const auto* map = std::get_if<MapStatement>(&statement)) fates_[at(map->result)] = fate_of(*map, num_products);
  }
}

RecomputePolicy::Fate RecomputePolicy::fate_of(const ProductStatement& statement, int num_products) const {
  const bool is_near = num_products == 0;
  const bool product_is_recomputed = is_near && recompute_ == Recompute::kProducts;
  Fate fate{is_near ? 1 : 0, product_is_recomputed, product_is_recomputed};
  if (statement.function && needs_preactivation(*statement.function))
    fate.is_recomputed = recompute_ != Recompute::kNothing;
  return fate;
}

RecomputePolicy::Fate RecomputePolicy::fate_of(const MapStatement& statement, int num_products) const {
  const MapFunction function = statement.function;
  const bool stands_for_sources =
      function == MapFunction::kAdd || function == MapFunction::kBias || function == MapFunction::kConvert;
  if (stands_for_sources && num_products == 0) return {};
  return {num_products, recompute_ != Recompute::kNothing, false};
}

}  // namespace meshmul
