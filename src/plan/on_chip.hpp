#pragma once
// What a product needs at hand while it overlaps with its moves.

#include <optional>

#include "meshmul/plan.hpp"

namespace meshmul {

/// Of the product that needs most. Nothing if the hardware does not say how much memory is on the chip, or there is no product.
std::optional<OnChip> on_chip(const std::vector<Step>& steps, const Mesh& mesh, const Hardware& hardware);

}  // namespace meshmul
