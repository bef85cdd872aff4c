#pragma once
// What there is to decide in a program: one sharding for each array that nobody wrote one for, and for all that are
// like it.

#include <vector>

#include "meshmul/program.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

/// `to` cut as `from` with `sharding`, index by index; an index that `from` lacks is not cut.
PackedSharding alike(const PackedSharding& sharding, const ArrayType& from, const ArrayType& to);

class Choices {
 public:
  /// A written sharding is a choice with one option. An open one may be every complete sharding, but that no axis cuts
  /// the dimension that a loop walks. Where `partial_cotangents`, a cotangent may also be left partial, unless a function
  /// that is not linear makes it.
  Choices(const Program& program, const AxisNumbering& axes, bool partial_cotangents = true);

  int num_choices() const { return static_cast<int>(num_options_.size()); }
  /// The choice that settles how `value` is cut.
  int of(ValueId value) const { return choice_of_[at(value)]; }
  /// Options are numbered from 0, in the order of the texts of the first value of the choice.
  int num_options(int choice) const { return num_options_[at(choice)]; }
  /// How `value` is cut by an option of its choice.
  const PackedSharding& sharding(ValueId value, int option) const { return shardings_[at(value)][at(option)]; }
  /// The same of what is used: a slice has one dimension less.
  PackedSharding sharding(const Use& use, int option) const;
  /// Bytes of the largest shard of `value`.
  double bytes(ValueId value, int option) const { return bytes_[at(value)][at(option)]; }
  /// The least that any option takes.
  double least_bytes(ValueId value) const;

 private:
  void settle(const Program& program, const AxisNumbering& axes, bool partial_cotangents);
  /// Keeps the options of the choice of `value` by which it lies as `is_allowed` says.
  template <class IsAllowed>
  void keep_options(ValueId value, IsAllowed is_allowed);
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }

  std::vector<int> choice_of_;                          // by value
  std::vector<int> num_options_;                        // by choice
  std::vector<std::vector<PackedSharding>> shardings_;  // by value and option
  std::vector<std::vector<double>> bytes_;              // by value and option
};

}  // namespace meshmul
