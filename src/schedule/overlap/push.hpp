#pragma once
// The operand of a product pushed in rounds into slots that are filled again and again, so that no rank ever holds it whole.

#include "meshmul/lower.hpp"
#include "product_sum.hpp"

namespace meshmul {

/// Where each round of an operand lands. In round i every rank puts the next `rows_per_round` rows that each peer wants of its
/// shard into slot i mod `slots` of that peer; the last rounds of a short shard are short or empty.
class PushedOperand {
 public:
  /// `name` of the slots. `rows_per_round` counts along the dimension that moves.
  PushedOperand(ScheduleBuilder& builder, const std::string& name, const PlacedArray& from, const ArrayType& to,
                std::int64_t rows_per_round, int slots);

  int num_rounds() const { return num_rounds_; }
  /// The parts of the operand that ranks hold themselves, where they lie.
  const Pieces& own() const { return own_; }
  /// By rank: what lands in `round`.
  const Pieces& landing(int round) const { return landing_[static_cast<std::size_t>(round)]; }
  /// All pieces, of which those of one round alone are there at a time.
  Pieces all() const;

  /// Writes the puts of `round`.
  void put(ScheduleBuilder& builder, int round) const;

 private:
  int num_rounds_ = 0;
  Pieces own_;
  std::vector<Pieces> landing_;  // by round
  std::vector<Pieces> sources_;  // by round, the same parts at their holders
};

}  // namespace meshmul
