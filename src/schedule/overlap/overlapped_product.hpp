#pragma once
// A product and the moves right before and after it as one program.

#include <optional>
#include <string>

#include "../placed_array.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"

namespace meshmul {

/// An operand of a product: where it lies, under which sharding it is multiplied, and the move that this takes, if any.
struct Multiplicand {
  PlacedArray from;
  ArrayType to;
  std::optional<MoveKind> move;
  std::string name;  ///< of the memory that it moves into
};

/// c = a * b, where operands that move come by `options.gather`, and the sums are brought to `c` by `options.reduce` if its
/// sharding has fewer unreduced axes than the product.
void overlapped_product(ScheduleBuilder& builder, const Multiplicand& a, const Multiplicand& b,
                        const LocalProduct& product, const PlacedArray& c, const OverlapOptions& options);

/// Throws Error(kInvalidArgument) if an option is out of its range, or two do not go together.
void check_overlap(const OverlapOptions& options);

}  // namespace meshmul
